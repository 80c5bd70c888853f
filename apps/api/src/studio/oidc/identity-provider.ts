import { createGuardedCaller, type GuardedCaller } from "@atelier/guarded-fetch";
import type { NamedIdentity } from "@atelier/accounts";
import { newName } from "@atelier/schemas";
import type * as OpenIdClient from "openid-client";

/** A person, with the groups that the provider has put it in. */
interface ProvidedIdentity extends NamedIdentity {
  readonly groups: readonly string[];
}

/** Secrets of a sign-in, with which it must come back. */
interface SignInChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The OpenID Connect provider of the operator. */
export interface IdentityProvider {
  /** Begins a sign-in. @returns the URL that the browser opens, and what it must come back with. */
  begin(): Promise<{ readonly url: URL; readonly checks: SignInChecks }>;
  /**
   * Redeems the code of a callback and validates the ID token: signature, issuer, audience, nonce and times.
   *
   * @throws when the provider refuses, cannot be reached or what it sends is not valid.
   */
  finish(callback: URL, checks: SignInChecks): Promise<ProvidedIdentity>;
}

interface ProviderOptions {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly redirectUri: string;
  /** Claim of the ID token with the groups of a person. */
  readonly groupClaim: string;
}

/** Timeout of a request to the provider, in milliseconds. */
const timeoutMs = 10_000;
const maxResponseBytes = 256 * 1_024;

/** Difference of the clocks of provider and service that is tolerated, in seconds. */
const clockToleranceSeconds = 30;

/** Creates the client of a provider. Each sign-in reads its metadata, and its keys again, so that they may rotate. */
export function createIdentityProvider({
  issuer,
  clientId,
  clientSecret,
  redirectUri,
  groupClaim,
}: ProviderOptions): IdentityProvider {
  const caller = createIssuerCaller(issuer);

  async function configure(client: typeof OpenIdClient): Promise<OpenIdClient.Configuration> {
    const isLocal = issuer.protocol === "http:";
    return client.discovery(
      issuer,
      clientId,
      { [client.clockTolerance]: clockToleranceSeconds },
      clientSecret === undefined ? client.None() : client.ClientSecretPost(clientSecret),
      {
        execute: [
          client.enableNonRepudiationChecks,
          ...(isLocal ? [client.allowInsecureRequests] : []),
        ],
        timeout: timeoutMs / 1_000,
        [client.customFetch]: (url, { method, headers, body, signal }) =>
          sendGuarded(caller, url, { method, headers, body: textOf(body), signal }),
      },
    );
  }

  return {
    async begin() {
      const client = await import("openid-client");
      const checks = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(await configure(client), {
        redirect_uri: redirectUri,
        scope: "openid email profile",
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: "S256",
      });
      return { url, checks };
    },
    async finish(callback, { state, nonce, verifier }) {
      const client = await import("openid-client");
      const tokens = await client.authorizationCodeGrant(await configure(client), callback, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error("the response has no ID token");
      const { email, email_verified: isVerified, name } = claims;
      const groups = claims[groupClaim];
      return {
        issuer: claims.iss,
        subject: claims.sub,
        name: nameOf(name) ?? nameOf(email) ?? claims.sub.slice(0, 100),
        groups: Array.isArray(groups) ? groups.filter((group) => typeof group === "string") : [],
        verifiedEmail:
          typeof email === "string" && isVerified === true ? email.toLowerCase() : null,
      };
    },
  };
}

/** A name as members have it; null for other values. */
function nameOf(value: unknown): string | null {
  return newName.safeParse(value).data ?? null;
}

/** The issuer may be in the network of the operator; what it names must be public or on the same host. */
function createIssuerCaller({ hostname, port, protocol }: URL): GuardedCaller {
  const issuerPort = port || (protocol === "https:" ? "443" : "80");
  return createGuardedCaller({
    totalTimeoutMs: timeoutMs,
    maxResponseBytes,
    privateHosts: [`${hostname}:${issuerPort}`],
  });
}

async function sendGuarded(
  caller: GuardedCaller,
  url: string,
  request: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body: string | undefined;
    readonly signal: AbortSignal | undefined;
  },
): Promise<Response> {
  const { method, headers, body, signal = AbortSignal.timeout(timeoutMs) } = request;
  const call = { method, headers, ...(body !== undefined && { body }) };
  const response = await caller.send(url, call, signal);
  const type = response.headers["content-type"];
  return new Response(response.status === 204 ? null : new Uint8Array(response.body), {
    status: response.status,
    headers: { ...(typeof type === "string" && { "content-type": type }) },
  });
}

/** A form or JSON, which is all that this client sends. */
function textOf(body: OpenIdClient.FetchBody): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === "string" || body instanceof URLSearchParams) return body.toString();
  throw new TypeError("only texts are sent to the provider");
}
