import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

/** A person as the provider knows it. */
export interface ProviderPerson {
  readonly subject: string;
  readonly email: string;
  readonly isVerified: boolean;
  /** The groups of the ID token. Default: none. */
  readonly groups?: readonly string[];
}

export interface IdentityProviderServer {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Serves sign-ins of a client with this redirect URI. */
  serve(redirectUri: string): void;
  /** Sets what the provider says about a person from now on, by the subject. */
  know(person: ProviderPerson): void;
  /** Sets who signs in next without a page; null shows the page, which asks for the subject. */
  signInNext(subject: string | null): void;
  close(): Promise<void>;
}

/**
 * Starts a certified OpenID Connect provider on loopback, which requires PKCE.
 *
 * @param host of its issuer; `localhost` is another site than `127.0.0.1`.
 * @param clientId of its only client.
 */
export async function startIdentityProvider(
  host: "localhost" | "127.0.0.1" = "127.0.0.1",
  clientId = "atelier",
): Promise<IdentityProviderServer> {
  const clientSecret = "a secret that is only for tests and long enough";
  const people = new Map<string, ProviderPerson>();
  let next: string | null = null;
  let provider: Provider | null = null;
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (provider === null) return void response.writeHead(503).end();
    if (request.url?.startsWith("/interaction/") !== true) {
      return provider.callback()(request, response);
    }
    const accountId = next ?? (await readSubject(request));
    if (accountId === null) return void response.setHeader("Content-Type", "text/html").end(page);
    await provider.interactionFinished(request, response, { login: { accountId } });
  }

  return {
    issuer,
    clientId,
    clientSecret,
    serve(redirectUri) {
      provider = new Provider(issuer, {
        clients: [
          {
            client_id: clientId,
            client_secret: clientSecret,
            redirect_uris: [redirectUri],
            token_endpoint_auth_method: "client_secret_post",
          },
        ],
        pkce: { required: () => true },
        cookies: { keys: ["only for tests"] },
        features: { devInteractions: { enabled: false } },
        conformIdTokenClaims: false,
        claims: {
          openid: ["sub", "groups"],
          email: ["email", "email_verified"],
          profile: ["name"],
        },
        interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
        findAccount: (_context, id) => ({
          accountId: id,
          claims: () => {
            const { email, isVerified, groups = [] } = people.get(id) ?? {};
            return { sub: id, name: id, email, email_verified: isVerified, groups: [...groups] };
          },
        }),
        async loadExistingGrant({ oidc }) {
          const grant = new oidc.provider.Grant({
            clientId,
            accountId: oidc.session?.accountId ?? "",
          });
          grant.addOIDCScope("openid email profile");
          await grant.save();
          return grant;
        },
      });
    },
    know: (person) => void people.set(person.subject, person),
    signInNext(subject) {
      next = subject;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Follows the redirects of a provider as a browser does, up to the redirect URI of the client. */
export async function followSignIn(url: string | URL, redirectUri: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let next = new URL(url);
  while (!next.href.startsWith(redirectUri)) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(next, { headers: { Cookie: cookie }, redirect: "manual" });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    next = new URL(response.headers.get("Location") ?? "", next);
  }
  return next;
}

const page = `<!doctype html>
<html lang="en">
  <head><title>Sign in to the provider</title><link rel="icon" href="data:," /></head>
  <body>
    <h1>Sign in to the provider</h1>
    <form method="post"><label>User name <input name="subject" /></label> <button>Sign in</button></form>
  </body>
</html>`;

/** The subject that was typed into the page; null before that. */
async function readSubject(request: IncomingMessage): Promise<string | null> {
  if (request.method !== "POST") return null;
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return new URLSearchParams(Buffer.concat(parts).toString()).get("subject");
}
