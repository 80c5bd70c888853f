import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { assertInvariants, shareStack, type Stack, type TestAccount } from "@atelier/testing";
import {
  followSignIn,
  startIdentityProvider,
  type IdentityProviderServer,
} from "@atelier/testing/identity-provider";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from "jose";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { readError } from "./support/client.ts";
import { addPerson, type Person } from "./support/people.ts";
import { askAsPage, cookieOf, serveApi } from "./support/studio.ts";

const publicUrl = "http://localhost:4321";
const redirectUri = `${publicUrl}/studio/oidc/callback`;
const clientId = "atelier";
const clientSecret = "a secret that is only for tests and long enough";

let stack: Stack;
let account: TestAccount;

beforeAll(async () => {
  stack = await shareStack();
});

beforeEach(async () => {
  account = await stack.createAccount();
});

afterAll(() => stack.stop());

type Api = Awaited<ReturnType<typeof serveApi>>;

const serveWith = (issuer: string, groupRoles = "", failuresPerMinute = 10_000) =>
  serveApi(stack, {
    OIDC_GROUP_ROLES: groupRoles,
    PUBLIC_URL: publicUrl,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    FAILED_AUTHENTICATIONS_PER_MINUTE: String(failuresPerMinute),
  });

async function listen(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(handle);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { server, issuer: `http://127.0.0.1:${port}` };
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** A sign-in that has begun: the page of the provider, and the cookie of the browser. */
interface Begun {
  readonly url: URL;
  readonly cookie: string;
}

async function begin(
  api: Api,
  {
    next = "/",
    person,
    cookie = person?.cookie.replace(/^[^=]+/, "atelier_session_4321"),
  }: {
    readonly next?: string;
    /** Whose identity it becomes. */
    readonly person?: Person;
    /** Cookie of the session of the browser. */
    readonly cookie?: string | undefined;
  } = {},
): Promise<Begun> {
  const response = await askAsPage(api.url, {
    method: "POST",
    path: "/studio/oidc",
    body: { next, bind: person !== undefined },
    cookie,
  });
  expect(response.status).toBe(200);
  const { url } = z.object({ url: z.url() }).parse(await response.json());
  return { url: new URL(url), cookie: cookieOf(response) };
}

/** Comes back from the provider. */
async function comeBack(api: Api, callback: URL, cookie: string) {
  const response = await fetch(api.url + callback.pathname + callback.search, {
    headers: { Cookie: cookie },
    redirect: "manual",
  });
  const session = response.headers
    .getSetCookie()
    .find((one) => one.startsWith("atelier_session_4321="));
  return {
    status: response.status,
    location: response.headers.get("Location"),
    session: session?.split(";")[0],
    cleared: response.headers
      .getSetCookie()
      .some((one) => one.startsWith("atelier_sign_in_4321=;")),
  };
}

async function signedIn(api: Api, session: string | undefined) {
  const response = await askAsPage(api.url, { path: "/studio/session", cookie: session });
  return (await response.json()) as {
    account_id: string | null;
    member: { id: string } | null;
    identity_provider: string | null;
  };
}

const refused = (reason: string) => ({
  status: 303,
  location: `/studio/#refused=${reason}`,
  session: undefined,
});

describe("signing in with a certified provider", () => {
  let provider: IdentityProviderServer;
  let api: Api;
  /** Who signs in at the provider next. */
  let person = { subject: "mira", email: "mira@example.com", isVerified: true };

  beforeAll(async () => {
    provider = await startIdentityProvider();
    provider.serve(redirectUri);
    api = await serveWith(provider.issuer);
  });

  afterAll(async () => {
    await api.stop();
    await provider.close();
  });

  beforeEach(() => {
    const subject = `mira ${account.accountId}`;
    person = { subject, email: `${account.accountId}@example.com`, isVerified: true };
  });

  /** Signs the person in at the provider. */
  function authorize({ url }: Begun): Promise<URL> {
    provider.know(person);
    provider.signInNext(person.subject);
    return followSignIn(url, redirectUri);
  }

  async function enter(options: Parameters<typeof begin>[1] = {}) {
    const begun = await begin(api, options);
    return comeBack(api, await authorize(begun), begun.cookie);
  }

  it("finds an invitation by its verified e-mail address, and later by issuer and subject only", async () => {
    const { id } = await addPerson(stack, account, "maker", person.email);
    const first = await enter({ next: "/library" });
    expect(first).toMatchObject({ status: 303, location: "/studio/library", cleared: true });
    expect((await signedIn(api, first.session)).member).toMatchObject({ id });
    person = { ...person, email: "another@example.com", isVerified: false };
    expect((await signedIn(api, (await enter()).session)).member).toMatchObject({ id });
    person = { ...person, subject: "somebody else" };
    expect(await enter()).toMatchObject(refused("unknown"));
  });

  it("refuses an e-mail address that the provider has not verified", async () => {
    await addPerson(stack, account, "maker", person.email);
    person = { ...person, isVerified: false };
    expect(await enter()).toMatchObject(refused("unknown"));
  });

  it("binds one identity to one member, through the link of an invitation", async () => {
    const member = await addPerson(stack, account, "maker");
    const bound = await enter({ person: member });
    expect((await signedIn(api, bound.session)).member).toMatchObject({ id: member.id });
    expect((await signedIn(api, (await enter()).session)).member).toMatchObject({ id: member.id });
    const { subject } = person;
    person = { ...person, subject: `${subject} again` };
    expect(await enter({ person: member, cookie: bound.session })).toMatchObject(refused("bound"));
    const other = await addPerson(stack, account, "maker");
    person = { ...person, subject };
    expect(await enter({ person: other })).toMatchObject(refused("bound"));
  });

  it("leads a person with two accounts to the one that it signed in to last through the provider", async () => {
    const second = await stack.createAccount();
    const here = await addPerson(stack, account, "maker");
    const there = await addPerson(stack, second, "maker");
    const { session } = await enter({ person: there });
    await enter({ person: here });
    await stack.database.query(
      "UPDATE api_key SET last_used_at = now() + interval '1 day' WHERE id = $1",
      [there.keyId],
    );
    expect((await signedIn(api, (await enter()).session)).account_id).toBe(account.accountId);
    await enter({ person: there, cookie: session });
    expect((await signedIn(api, (await enter()).session)).account_id).toBe(second.accountId);
    await stack.request(second, "POST", `/v1/members/${there.id}/disable`);
    expect((await signedIn(api, (await enter()).session)).account_id).toBe(account.accountId);
  });

  it("asks for the link when several accounts have invited an e-mail address", async () => {
    const second = await stack.createAccount();
    const here = await addPerson(stack, account, "maker", person.email);
    const there = await addPerson(stack, second, "maker", person.email);
    expect(await enter()).toMatchObject(refused("several"));
    expect((await signedIn(api, (await enter({ person: here })).session)).member).toMatchObject({
      id: here.id,
    });
    expect((await signedIn(api, (await enter()).session)).account_id).toBe(account.accountId);
    const bound = await stack.database.query("SELECT subject FROM member WHERE id = $1", [
      there.id,
    ]);
    expect(bound).toEqual([{ subject: null }]);
  });

  it("ends the earlier session of the browser", async () => {
    const member = await addPerson(stack, account, "maker");
    const countSessions = async () => {
      const sessions = await stack.database.query(
        "SELECT FROM studio_session WHERE account_id = $1",
        [account.accountId],
      );
      return sessions.length;
    };
    const bound = await enter({ person: member });
    expect(await countSessions()).toBe(1);
    const again = await enter({ cookie: bound.session });
    expect(await countSessions()).toBe(1);
    expect((await signedIn(api, bound.session)).member).toBeNull();
    expect((await signedIn(api, again.session)).member).toMatchObject({ id: member.id });
  });

  it("refuses a disabled member and one of a suspended account", async () => {
    const { id } = await addPerson(stack, account, "maker", person.email);
    expect((await enter()).session).toBeDefined();
    await stack.request(account, "POST", `/v1/members/${id}/disable`);
    expect(await enter()).toMatchObject(refused("disabled"));
  });

  it("refuses another state, a code that was used, one of another attempt, and no attempt", async () => {
    await addPerson(stack, account, "maker", person.email);
    const begun = await begin(api);
    const callback = await authorize(begun);
    const altered = new URL(callback);
    altered.searchParams.set("state", "another");
    expect(await comeBack(api, altered, begun.cookie)).toMatchObject(refused("provider"));
    const other = await begin(api);
    const crossed = new URL(callback);
    crossed.searchParams.set("state", other.url.searchParams.get("state") ?? "");
    // The verifier is that of the other attempt (PKCE).
    expect(await comeBack(api, crossed, other.cookie)).toMatchObject(refused("provider"));
    expect(await comeBack(api, callback, "")).toMatchObject(refused("expired"));

    const again = await begin(api);
    const used = await authorize(again);
    expect((await comeBack(api, used, again.cookie)).session).toBeDefined();
    expect(await comeBack(api, used, again.cookie)).toMatchObject(refused("provider"));
  });

  it("leads to pages of Studio only, and begins from its pages only", async () => {
    for (const next of ["https://example.com", "//example.com", "/studio/../v1", "library"]) {
      const response = await askAsPage(api.url, {
        method: "POST",
        path: "/studio/oidc",
        body: { next },
      });
      expect([next, response.status]).toEqual([next, 400]);
    }
    const foreign = await fetch(`${api.url}/studio/oidc`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{}",
    });
    expect((await readError(foreign)).error).toBe("unauthorized");
  });

  it("tells the page the name of the provider", async () => {
    expect((await signedIn(api, undefined)).identity_provider).toMatch(/^127\.0\.0\.1:\d+$/);
  });
});

describe("an ID token", () => {
  let server: Server;
  let issuer: string;
  let api: Api;
  let nonce = "";
  /** The keys that the provider publishes, and what it sends in place of a valid token. */
  let published: CryptoKey[] = [];
  let forge: (claims: JWTPayload) => Promise<string>;
  let own: Awaited<ReturnType<typeof generateKeyPair>>;

  const sign = (claims: JWTPayload, key: CryptoKey) =>
    new SignJWT(claims).setProtectedHeader({ alg: "RS256" }).sign(key);

  beforeAll(async () => {
    const running = await listen((request, response) => void handle(request, response));
    ({ server, issuer } = running);
    api = await serveWith(issuer);
  });

  afterAll(async () => {
    await api.stop();
    await close(server);
  });

  beforeEach(async () => {
    own = await generateKeyPair("RS256", { extractable: true });
    published = [own.publicKey];
    forge = (claims) => sign(claims, own.privateKey);
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (body: object) =>
      response.setHeader("Content-Type", "application/json").end(JSON.stringify(body));
    if (request.url === "/.well-known/openid-configuration") {
      send({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
      });
    } else if (request.url === "/jwks") {
      send({ keys: await Promise.all(published.map((key) => exportJWK(key))) });
    } else {
      const now = Math.floor(Date.now() / 1_000);
      const claims = { iss: issuer, aud: clientId, sub: "mira", nonce, iat: now, exp: now + 300 };
      const id_token = await forge(claims);
      send({ access_token: "token", token_type: "Bearer", id_token });
    }
  }

  /** The way back of a sign-in, whose nonce the next token has. */
  function returnOf({ url }: Begun): URL {
    nonce = url.searchParams.get("nonce") ?? "";
    const callback = new URL(redirectUri);
    callback.searchParams.set("code", "a code");
    callback.searchParams.set("state", url.searchParams.get("state") ?? "");
    return callback;
  }

  async function enter() {
    const member = await addPerson(stack, account, "maker");
    const begun = await begin(api, { person: member });
    return comeBack(api, returnOf(begun), begun.cookie);
  }

  afterEach(() => {
    nonce = "";
  });

  it("that is valid signs in, also after the keys of the provider have changed", async () => {
    expect(await enter()).toMatchObject({ status: 303, location: "/studio/" });
    account = await stack.createAccount();
    own = await generateKeyPair("RS256", { extractable: true });
    published = [own.publicKey];
    expect(await enter()).toMatchObject({ status: 303, location: "/studio/" });
  });

  it("sets account and role by the groups of the person, at each sign-in", async () => {
    const other = await stack.createAccount();
    const roles = [
      `artists=${account.accountId}:maker`,
      `leads=${account.accountId}:owner`,
      `guests=${other.accountId}:maker`,
    ];
    const grouped = await serveWith(issuer, roles.join(","));
    try {
      const sub = `anna ${account.accountId}`;
      const enterWith = async (groups: string[]) => {
        forge = (claims) => sign({ ...claims, sub, groups, name: "Anna" }, own.privateKey);
        const begun = await begin(grouped);
        return comeBack(grouped, returnOf(begun), begun.cookie);
      };
      const roleAfter = async (groups: string[]) =>
        (await signedIn(grouped, (await enterWith(groups)).session)).member;
      expect(await roleAfter(["artists"])).toMatchObject({ name: "Anna", role: "maker" });
      expect(await roleAfter(["artists", "leads"])).toMatchObject({ role: "owner" });
      // The last owner keeps its role.
      expect(await roleAfter(["artists"])).toMatchObject({ role: "owner" });
      await addPerson(stack, account, "owner");
      expect(await roleAfter(["artists"])).toMatchObject({ role: "maker" });
      expect(await enterWith(["others"])).toMatchObject(refused("group"));
      await assertInvariants(stack.database);
    } finally {
      await grouped.stop();
    }
  });

  it("removes the limits of a maker to whom a group gives another role", async () => {
    const { accountId } = account;
    const grouped = await serveWith(
      issuer,
      `artists=${accountId}:maker,leads=${accountId}:manager`,
    );
    try {
      const enterWith = async (group: string) => {
        const person = { sub: `anna ${accountId}`, groups: [group], name: "Anna" };
        forge = (claims) => sign({ ...claims, ...person }, own.privateKey);
        const begun = await begin(grouped);
        return comeBack(grouped, returnOf(begun), begun.cookie);
      };
      await enterWith("artists");
      await stack.database.query(
        `WITH shared AS (
           INSERT INTO budget (id, account_id, name, budget_micro_eur, budget_period)
           VALUES (gen_random_uuid(), $1, 'Makers', 7, 'day') RETURNING id
         )
         UPDATE api_key SET budget_micro_eur = 7, models = '{builtin-illustrator}', budget_id = shared.id
           FROM shared, member WHERE key_id = api_key.id AND member.account_id = $1`,
        [accountId],
      );
      await enterWith("leads");
      const limits = await stack.database.query(
        `SELECT budget_micro_eur AS budget, models, budget_id AS shared
           FROM api_key JOIN member ON key_id = api_key.id WHERE member.account_id = $1`,
        [accountId],
      );
      expect(limits).toEqual([{ budget: null, models: [], shared: null }]);
      await assertInvariants(stack.database);
    } finally {
      await grouped.stop();
    }
  });

  it("signs in a member whose groups are unchanged without a lock of the account", async () => {
    const { accountId } = account;
    const grouped = await serveWith(issuer, `artists=${accountId}:maker`);
    forge = (claims) =>
      sign({ ...claims, sub: `anna ${accountId}`, groups: ["artists"] }, own.privateKey);
    const enterGrouped = async () => {
      const begun = await begin(grouped);
      return comeBack(grouped, returnOf(begun), begun.cookie);
    };
    try {
      expect(await enterGrouped()).toMatchObject({ location: "/studio/" });
      await stack.database.transaction(async (sql) => {
        await sql.query("SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE", [accountId]);
        expect(await enterGrouped()).toMatchObject({ location: "/studio/" });
      });
    } finally {
      await grouped.stop();
    }
  });

  it("signs in to the other accounts of a person when one has no room", async () => {
    const [full, other] = [account, await stack.createAccount()];
    const roles = `artists=${full.accountId}:maker,guests=${other.accountId}:maker`;
    const grouped = await serveWith(issuer, roles);
    try {
      await stack.database.query(
        `INSERT INTO api_key (id, account_id, mode, name, hash, pepper_id, last_four, scopes, models)
         SELECT gen_random_uuid(), account_id, mode, name, decode(md5(random()::text), 'hex'),
                pepper_id, last_four, scopes, models
           FROM api_key, generate_series(1, 99) WHERE account_id = $1`,
        [full.accountId],
      );
      const enterWith = async (groups: string[]) => {
        const person = { sub: `anna ${full.accountId}`, groups };
        forge = (claims) => sign({ ...claims, ...person }, own.privateKey);
        const begun = await begin(grouped);
        return comeBack(grouped, returnOf(begun), begun.cookie);
      };
      expect(await enterWith(["artists"])).toMatchObject(refused("full"));
      const { session } = await enterWith(["artists", "guests"]);
      expect((await signedIn(grouped, session)).account_id).toBe(other.accountId);
    } finally {
      await grouped.stop();
    }
  });

  it("is requested as often as the limit of failed authentications allows", async () => {
    const limited = await serveWith(issuer, "", 5);
    let requested = 0;
    forge = (claims) => {
      requested += 1;
      return sign({ ...claims, aud: "another" }, own.privateKey);
    };
    try {
      const begun = await begin(limited);
      const statuses: number[] = [];
      for (let index = 0; index < 8; index += 1) {
        statuses.push((await comeBack(limited, returnOf(begun), begun.cookie)).status);
      }
      expect(statuses).toEqual([303, 303, 303, 303, 303, 429, 429, 429]);
      expect(requested).toBe(5);
    } finally {
      await limited.stop();
    }
  });

  it("ends the event stream of a member that a group has lowered within a second", async () => {
    const { accountId } = account;
    const grouped = await serveWith(issuer, `artists=${accountId}:maker,leads=${accountId}:owner`);
    try {
      await addPerson(stack, account, "owner");
      const enterWith = async (group: string) => {
        const person = { sub: `anna ${accountId}`, groups: [group], name: "Anna" };
        forge = (claims) => sign({ ...claims, ...person }, own.privateKey);
        const begun = await begin(grouped);
        return comeBack(grouped, returnOf(begun), begun.cookie);
      };
      const cookie = (await enterWith("leads")).session;
      const stream = await askAsPage(grouped.url, { path: "/v1/events", cookie });
      expect(stream.status).toBe(200);
      const closed = stream.text().then(() => performance.now());
      await enterWith("artists");
      const answeredAt = performance.now();
      expect((await closed) - answeredAt).toBeLessThan(1_000);
    } finally {
      await grouped.stop();
    }
  });

  const now = () => Math.floor(Date.now() / 1_000);
  const without = (claims: JWTPayload, name: string): JWTPayload =>
    Object.fromEntries(Object.entries(claims).filter(([claim]) => claim !== name));

  it.each<[string, (claims: JWTPayload) => JWTPayload]>([
    ["20 s in the future", (claims) => ({ ...claims, iat: now() + 20, nbf: now() + 20 })],
    ["over for 20 s", (claims) => ({ ...claims, exp: now() - 20 })],
  ])("%s is accepted: clocks differ", async (_, change) => {
    forge = (claims) => sign(change(claims), own.privateKey);
    expect((await enter()).session).toBeDefined();
  });

  it.each<[string, (claims: JWTPayload) => JWTPayload]>([
    ["another nonce", (claims) => ({ ...claims, nonce: "another" })],
    ["no nonce", (claims) => without(claims, "nonce")],
    ["another audience", (claims) => ({ ...claims, aud: "another" })],
    [
      "several audiences, for another party",
      (claims) => ({ ...claims, aud: [clientId, "b"], azp: "b" }),
    ],
    ["another issuer", (claims) => ({ ...claims, iss: "https://other.example" })],
    ["an end 60 s ago", (claims) => ({ ...claims, exp: now() - 60 })],
    ["a beginning in 5 min", (claims) => ({ ...claims, nbf: now() + 300 })],
    ["no subject", (claims) => without(claims, "sub")],
  ])("with %s is refused", async (_, change) => {
    forge = (claims) => sign(change(claims), own.privateKey);
    expect(await enter()).toMatchObject(refused("provider"));
  });

  it("that another key has signed is refused, and so is one without a signature", async () => {
    const foreign = await generateKeyPair("RS256");
    forge = (claims) => sign(claims, foreign.privateKey);
    expect(await enter()).toMatchObject(refused("provider"));
    forge = (claims) => {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
      return Promise.resolve(`${part({ alg: "none" })}.${part(claims)}.`);
    };
    account = await stack.createAccount();
    expect(await enter()).toMatchObject(refused("provider"));
  });
});
