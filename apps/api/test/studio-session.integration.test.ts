import { createKey, createStudioLink, revokeKey, setSuspended } from "@atelier/accounts";
import { shareStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sealSession } from "../src/studio/session.ts";
import { image, readError } from "./support/client.ts";
import { addPerson, secretOf } from "./support/people.ts";
import { askAsPage, cookieOf, readConfig, serveApi, signIn } from "./support/studio.ts";

let stack: Stack;
let account: TestAccount;
let pepper: string;
let cookieName: string;
const signedOut = {
  account_id: null,
  account_name: null,
  key_id: null,
  scopes: [],
  language: null,
  member: null,
  identity_provider: null,
};
/** Everything that a log must not contain. */
const secrets: string[] = [];

beforeAll(async () => {
  stack = await shareStack();
  account = await stack.createAccount();
  pepper = stack.environment["KEY_PEPPER"] ?? "";
  cookieName = `atelier_session_${new URL(stack.url).port}`;
  secrets.push(account.key);
});

afterAll(() => stack.stop());

async function createLink(key = account.key): Promise<string> {
  const link = await createStudioLink(stack.database, { key, pepper });
  secrets.push(link);
  return link;
}

async function createSessionCookie(key = account.key): Promise<string> {
  const response = await signIn(stack.url, { key });
  expect(response.status).toBe(204);
  const cookie = cookieOf(response);
  secrets.push(cookie.split("=")[1] ?? "");
  return cookie;
}

/** Creates another key of the account. */
async function addKey(): Promise<{ readonly id: string; readonly key: string }> {
  const added = await createKey(stack.database, {
    accountId: account.accountId,
    name: "of a session",
    pepper,
  });
  secrets.push(added.key);
  return added;
}

async function sessionOf(cookie: string): Promise<unknown> {
  const response = await askAsPage(stack.url, { path: "/studio/session", cookie });
  expect(response.status).toBe(200);
  return response.json();
}

const readAccount = (cookie?: string, headers?: Readonly<Record<string, string>>) =>
  askAsPage(stack.url, { path: "/v1/account", cookie, ...(headers && { headers }) });

const errorOf = async (response: Response) => [response.status, (await readError(response)).error];

describe("signing in to Studio", () => {
  it("with a key sets a cookie that scripts cannot read", async () => {
    const response = await signIn(stack.url, { key: ` ${account.key}\n` });
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    const [value = "", ...attributes] = (response.headers.get("Set-Cookie") ?? "").split("; ");
    expect(value).toMatch(new RegExp(`^${cookieName}=[\\w-]{80,300}$`));
    expect(value).not.toContain(account.key);
    expect(attributes.filter((one) => !one.startsWith("Expires="))).toEqual([
      "Max-Age=43200",
      "Path=/",
      "HttpOnly",
      "SameSite=Strict",
    ]);
    expect(await sessionOf(value)).toMatchObject({ account_id: account.accountId });
    expect(await sessionOf("")).toEqual(signedOut);
  });

  it("tells the page the language of the account", async () => {
    const own = await stack.createAccount();
    const cookie = await createSessionCookie(own.key);
    expect(await sessionOf(cookie)).toMatchObject({ language: null });
    await fetch(`${stack.url}/v1/account`, {
      method: "PATCH",
      headers: { Authorization: `Bearer ${own.key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ language: "de" }),
    });
    expect(await sessionOf(cookie)).toMatchObject({ language: "de" });
  });

  it("names the cookie __Host- and sends it over HTTPS only behind HTTPS", async () => {
    const api = await serveApi(stack, { PUBLIC_URL: "https://atelier.example" });
    try {
      const response = await signIn(api.url, { key: account.key });
      expect(response.headers.get("Set-Cookie")).toMatch(/^__Host-atelier_session_443=.*; Secure;/);
      const cookie = cookieOf(response);
      const ask = (headers: Readonly<Record<string, string>>) =>
        askAsPage(api.url, { path: "/studio/session", headers }).then((one) => one.json());
      expect(await ask({ Cookie: cookie })).toMatchObject({ account_id: account.accountId });
      expect(await ask({ Cookie: cookie.replace("__Host-", "") })).toEqual(signedOut);
    } finally {
      await api.stop();
    }
  });

  it("does not end the session of another service on the same host", async () => {
    const api = await serveApi(stack, { PUBLIC_URL: "http://localhost:4000" });
    try {
      const cookies = await Promise.all(
        [stack.url, api.url].map(async (url) => cookieOf(await signIn(url, { key: account.key }))),
      );
      expect(cookies.map((cookie) => cookie.split("=")[0])).toEqual([
        cookieName,
        "atelier_session_4000",
      ]);
      for (const url of [stack.url, api.url]) {
        const response = await askAsPage(url, { path: "/v1/account", cookie: cookies.join("; ") });
        expect(response.status).toBe(200);
      }
    } finally {
      await api.stop();
    }
  });

  it("with a link works once", async () => {
    const link = await createLink();
    const [first, second] = await Promise.all([
      signIn(stack.url, { link }),
      signIn(stack.url, { link }),
    ]);
    const [signedIn, refused] = first.status === 204 ? [first, second] : [second, first];
    expect([signedIn.status, refused.status]).toEqual([204, 401]);
    expect((await readAccount(cookieOf(signedIn))).status).toBe(200);
    expect(await errorOf(await signIn(stack.url, { link }))).toEqual([401, "unauthorized"]);
  });

  it("with a link stores neither the link nor its key", async () => {
    const link = await createLink();
    const rows = await stack.database.query<{ row: string }>(
      "SELECT studio_link::text AS row FROM studio_link",
    );
    const text = rows.map(({ row }) => row).join("\n");
    const bytes = Buffer.from(link, "base64url").toString("hex");
    expect(rows.length).toBeGreaterThan(0);
    for (const secret of [link, bytes, account.key, Buffer.from(account.key).toString("hex")]) {
      expect(text).not.toContain(secret);
    }
    expect((await signIn(stack.url, { link })).status).toBe(204);
  });

  it("refuses an expired link, also in other spellings", async () => {
    const link = await createLink();
    await stack.database.query("UPDATE studio_link SET expires_at = now()");
    for (const spelling of [link, `${link}=`]) {
      expect(await errorOf(await signIn(stack.url, { link: spelling }))).toEqual([
        401,
        "unauthorized",
      ]);
    }
  });

  it("refuses links of another installation and changed ones", async () => {
    const foreign = await createStudioLink(stack.database, {
      key: account.key,
      pepper: "the pepper of another installation",
    });
    const link = await createLink();
    const changed = `${link.startsWith("A") ? "B" : "A"}${link.slice(1)}`;
    for (const wrong of [foreign, changed, "x"]) {
      expect(await errorOf(await signIn(stack.url, { link: wrong }))).toEqual([
        401,
        "unauthorized",
      ]);
    }
    expect((await signIn(stack.url, { link })).status).toBe(204);
  });

  it("refuses wrong and revoked keys, and links with a revoked key", async () => {
    expect(await errorOf(await signIn(stack.url, { key: "atl_live_wrong" }))).toEqual([
      401,
      "unauthorized",
    ]);
    const { id, key } = await addKey();
    const link = await createLink(key);
    await revokeKey(stack.database, id);
    const response = await signIn(stack.url, { key });
    expect(response.headers.get("Set-Cookie")).toBeNull();
    expect(await readError(response)).toMatchObject({ details: { reason: "revoked" } });
    expect(await errorOf(await signIn(stack.url, { link }))).toEqual([401, "unauthorized"]);
  });

  it.each([
    ["nothing", {}],
    ["both", { key: "x", link: "x" }],
    ["another type", { key: 1 }],
    ["another property", { key: "x", remember: true }],
    ["a long key", { key: "x".repeat(201) }],
    ["a large body", { link: "x".repeat(2_000) }],
    ["an array", []],
  ])("refuses a body with %s", async (_name, body) => {
    expect((await signIn(stack.url, body)).status).toBe(400);
  });

  it("refuses other media types and query parameters", async () => {
    const form = await askAsPage(stack.url, {
      method: "POST",
      path: "/studio/session",
      headers: { "Content-Type": "text/plain" },
      body: { key: account.key },
    });
    expect(await errorOf(form)).toEqual([400, "unsupported_media_type"]);
    const query = await askAsPage(stack.url, { path: "/studio/session?key=x" });
    expect(await errorOf(query)).toEqual([400, "invalid_request"]);
  });

  it("limits failed attempts by client address, and lets a key in that was valid lately", async () => {
    const api = await serveApi(stack, { FAILED_AUTHENTICATIONS_PER_MINUTE: "2" });
    try {
      expect((await signIn(api.url, { key: account.key })).status).toBe(204);
      expect((await signIn(api.url, { link: "wrong" })).status).toBe(401);
      expect((await signIn(api.url, { key: "wrong" })).status).toBe(401);
      const response = await signIn(api.url, { link: "wrong" });
      expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
      expect(await errorOf(response)).toEqual([429, "rate_limited"]);
      // A valid link is not locked out by malformed ones, but by used ones.
      const link = await createLink();
      expect((await signIn(api.url, { link })).status).toBe(204);
      for (const status of [401, 401, 429]) {
        expect((await signIn(api.url, { link })).status).toBe(status);
      }
      expect((await signIn(api.url, { key: account.key })).status).toBe(204);
    } finally {
      await api.stop();
    }
  });
});

describe("a session", () => {
  it("counts only with the header of Studio and from its own origin", async () => {
    const cookie = await createSessionCookie();
    expect((await readAccount(cookie)).status).toBe(200);
    const foreign = [
      { "X-Atelier-Studio": "" },
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site" },
      { "Sec-Fetch-Site": "none" },
    ];
    for (const headers of foreign) {
      expect(await errorOf(await readAccount(cookie, headers))).toEqual([401, "unauthorized"]);
      for (const method of ["POST", "DELETE"]) {
        const response = await askAsPage(stack.url, {
          method,
          path: "/studio/session",
          cookie,
          headers,
          ...(method === "POST" && { body: { key: account.key } }),
        });
        expect(response.headers.get("Set-Cookie")).toBeNull();
        expect(await errorOf(response)).toEqual([401, "unauthorized"]);
      }
    }
    const preflight = await fetch(`${stack.url}/v1/account`, {
      method: "OPTIONS",
      headers: {
        Origin: "https://elsewhere.example",
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "x-atelier-studio",
      },
    });
    expect(
      [...preflight.headers.keys()].filter((name) => name.startsWith("access-control")),
    ).toEqual([]);
  });

  it("takes the place of the key in every operation", async () => {
    const cookie = await createSessionCookie();
    const ask = (method: string, path: string, body?: unknown) =>
      askAsPage(stack.url, { method, path, cookie, ...(body === undefined ? {} : { body }) });
    const generated = await ask("POST", "/v1/generate/image", image);
    expect(generated.status).toBe(200);
    const { id, image_url } = (await generated.json()) as { id: string; image_url: string };
    expect((await fetch(image_url)).status).toBe(200);
    const png = await (await fetch(image_url)).arrayBuffer();
    const upload = await fetch(`${stack.url}/v1/uploads`, {
      method: "POST",
      headers: { "X-Atelier-Studio": "1", Cookie: cookie, "Content-Type": "image/png" },
      body: png,
    });
    expect(upload.status).toBe(201);
    for (const path of [
      "/v1/jobs",
      `/v1/jobs/${id}`,
      `/v1/jobs/${id}/archive`,
      `/v1/jobs/${id}/events`,
      "/v1/account/export",
      "/v1/usage",
      "/v1/keys",
    ]) {
      const response = await ask("GET", path);
      expect([path, response.status]).toEqual([path, 200]);
      await response.body?.cancel();
    }
  });

  it("does not give its key to scripts in a skill file", async () => {
    const cookie = await createSessionCookie();
    const download = (body: object) =>
      askAsPage(stack.url, { method: "POST", path: "/v1/files/image-generation", cookie, body });
    expect(await errorOf(await download({ format: "curl" }))).toEqual([400, "invalid_request"]);
    const file = await download({ format: "curl", embed_key: false });
    expect(await file.text()).toContain("YOUR_API_KEY");
  });

  it("is ignored beside an API key, also a wrong one", async () => {
    const other = await stack.createAccount();
    secrets.push(other.key);
    const cookie = await createSessionCookie();
    const response = await readAccount(cookie, { Authorization: `Bearer ${other.key}` });
    expect(await response.json()).toMatchObject({ id: other.accountId });
    for (const name of ["X-API-Key", "api-key"]) {
      expect((await readAccount(cookie, { [name]: "wrong" })).status).toBe(401);
    }
    expect((await readAccount(cookie, { Authorization: "Bearer wrong" })).status).toBe(401);
    expect((await readAccount(cookie, { Authorization: "" })).status).toBe(401);
  });

  it("is not accepted by MCP", async () => {
    const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const ask = (headers: Readonly<Record<string, string>>) =>
      askAsPage(stack.url, {
        method: "POST",
        path: "/mcp",
        body: message,
        headers: { Accept: "application/json, text/event-stream", ...headers },
      });
    expect((await ask({ Cookie: await createSessionCookie() })).status).toBe(401);
    expect((await ask({ Authorization: `Bearer ${account.key}` })).status).toBe(200);
  });

  it("ends when its key is revoked or its account suspended", async () => {
    const { id, key } = await addKey();
    const cookie = await createSessionCookie(key);
    await setSuspended(stack.database, account.accountId, true);
    expect(await sessionOf(cookie)).toEqual(signedOut);
    expect(await errorOf(await readAccount(cookie))).toEqual([403, "account_suspended"]);
    await setSuspended(stack.database, account.accountId, false);
    expect(await sessionOf(cookie)).toMatchObject({ account_id: account.accountId, key_id: id });
    await revokeKey(stack.database, id);
    expect(await sessionOf(cookie)).toEqual(signedOut);
    expect(await errorOf(await readAccount(cookie))).toEqual([401, "unauthorized"]);
  });

  it("ends after twelve hours", async () => {
    const cookie = await createSessionCookie();
    const [newest] = await stack.database.query<{ id: string; hours: number }>(
      `SELECT id, round(extract(epoch FROM expires_at - now()) / 3600)::int AS hours
         FROM studio_session ORDER BY id DESC LIMIT 1`,
    );
    expect(newest?.hours).toBe(12);
    expect((await readAccount(cookie)).status).toBe(200);
    await stack.database.query("UPDATE studio_session SET expires_at = now() WHERE id = $1", [
      newest?.id,
    ]);
    expect((await readAccount(cookie)).status).toBe(401);
  });

  it("does not begin with an id that was read from the database", async () => {
    await createSessionCookie();
    const [row] = await stack.database.query<{ id: string }>("SELECT id FROM studio_session");
    const config = readConfig(stack, { KEY_PEPPER: "the pepper of another installation" });
    for (const value of [row?.id ?? "", sealSession(row?.id ?? "", config)]) {
      expect((await readAccount(`${cookieName}=${value}`)).status).toBe(401);
    }
  });

  it("does not count when its cookie was changed, or is a link", async () => {
    const [name, value = ""] = (await createSessionCookie()).split("=");
    const changed = [0, 20, 60, value.length - 3].map(
      (at) => value.slice(0, at) + (value[at] === "A" ? "B" : "A") + value.slice(at + 1),
    );
    for (const wrong of [...changed, value.slice(4), "", "%", await createLink()]) {
      expect((await readAccount(`${name}=${wrong}`)).status).toBe(401);
    }
    expect((await readAccount(`theme=dark; ${name}=${value}; a=b`)).status).toBe(200);
  });

  it("ends in the browser that signs out", async () => {
    const cookie = await createSessionCookie();
    const response = await askAsPage(stack.url, {
      method: "DELETE",
      path: "/studio/session",
      cookie,
    });
    expect(response.status).toBe(204);
    expect(response.headers.get("Set-Cookie")).toBe(
      `${cookieName}=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Strict`,
    );
    // Also for a copy of the cookie.
    expect((await readAccount(cookie)).status).toBe(401);
  });

  it("continues when its key is rotated", async () => {
    const { id, key } = await addKey();
    const cookie = await createSessionCookie(key);
    const rotated = await stack.request(account, "POST", `/v1/keys/${id}/rotate`, {});
    expect(rotated.status).toBe(200);
    expect((await readAccount(cookie)).status).toBe(200);
    expect(await sessionOf(cookie)).toMatchObject({ key_id: id });
  });

  it("that a rotated key opened may not manage, and ends with the grace period", async () => {
    const { id, key } = await addKey();
    const rotate = (grace_hours: number) =>
      stack.request(account, "POST", `/v1/keys/${id}/rotate`, { grace_hours });
    expect((await rotate(1)).status).toBe(200);
    const cookie = await createSessionCookie(key);
    expect((await readAccount(cookie)).status).toBe(200);
    const body = { name: "more" };
    const minted = await askAsPage(stack.url, { method: "POST", path: "/v1/keys", cookie, body });
    expect(await errorOf(minted)).toEqual([403, "key_not_permitted"]);
    const [row] = await stack.database.query<{ hours: number }>(
      `SELECT round(extract(epoch FROM expires_at - now()) / 3600)::int AS hours
         FROM studio_session WHERE key_id = $1`,
      [id],
    );
    expect(row?.hours).toBe(1);
    expect((await rotate(1)).status).toBe(200);
    expect((await readAccount(cookie)).status).toBe(401);
  });

  it("is replaced when the browser signs in again", async () => {
    const cookie = await createSessionCookie();
    const response = await askAsPage(stack.url, {
      method: "POST",
      path: "/studio/session",
      cookie,
      body: { key: account.key },
    });
    expect((await readAccount(cookieOf(response))).status).toBe(200);
    expect((await readAccount(cookie)).status).toBe(401);
  });
});

describe("the sessions of a key", () => {
  interface Listed {
    readonly id: string;
    readonly key_id: string;
    readonly is_current: boolean;
    readonly user_agent: string | null;
  }
  const list = async (cookie: string): Promise<readonly Listed[]> => {
    const response = await askAsPage(stack.url, { path: "/studio/sessions", cookie });
    expect(response.status).toBe(200);
    return ((await response.json()) as { sessions: readonly Listed[] }).sessions;
  };
  const end = (cookie: string, path = "") =>
    askAsPage(stack.url, { method: "DELETE", path: `/studio/sessions${path}`, cookie });

  it("are listed and ended, one or all", async () => {
    const { id, key } = await addKey();
    await stack.request(account, "PATCH", `/v1/keys/${id}`, { scopes: ["read"] });
    const cookies = await Promise.all([1, 2, 3].map(() => createSessionCookie(key)));
    const [first = "", second = "", third = ""] = cookies;
    const sessions = await list(first);
    expect(sessions).toHaveLength(3);
    expect(sessions.every(({ key_id }) => key_id === id)).toBe(true);
    expect(sessions.filter(({ is_current }) => is_current)).toHaveLength(1);
    const current = (await list(second)).find(({ is_current }) => is_current);
    expect((await end(first, `/${current?.id}`)).status).toBe(200);
    expect((await readAccount(second)).status).toBe(401);
    expect(await errorOf(await end(first, `/${current?.id}`))).toEqual([404, "not_found"]);
    const all = await end(first);
    expect(await all.json()).toEqual({ ended: 2 });
    for (const cookie of [first, third]) expect((await readAccount(cookie)).status).toBe(401);
  });

  it("include those of keys that it may revoke, and no others", async () => {
    const { account: owner } = { account: await stack.createAccount() };
    const stranger = await createSessionCookie();
    const minted = await stack.request(owner, "POST", "/v1/keys", { name: "minted" });
    const child = (await minted.json()) as { id: string; key: string };
    const [own, childs] = [
      await createSessionCookie(owner.key),
      await createSessionCookie(child.key),
    ];
    expect((await list(own)).map(({ key_id }) => key_id)).toEqual([child.id, owner.keyId]);
    expect((await list(childs)).map(({ key_id }) => key_id)).toEqual([child.id]);
    expect(await (await end(childs)).json()).toEqual({ ended: 1 });
    expect((await readAccount(own)).status).toBe(200);
    expect((await readAccount(stranger)).status).toBe(200);
  });

  it("end all at once only with the own key, and one by one with keys that it may revoke", async () => {
    const owner = await stack.createAccount();
    const { cookie: mias } = await addPerson(stack, owner, "maker");
    const cookies = [await createSessionCookie(owner.key), await createSessionCookie(owner.key)];
    const [own = "", elsewhere = ""] = cookies;
    expect(await list(own)).toHaveLength(3);
    expect(await (await end(own)).json()).toEqual({ ended: 2 });
    for (const cookie of cookies) expect((await readAccount(cookie)).status).toBe(401);
    expect((await readAccount(mias)).status).toBe(200);
    const again = await createSessionCookie(owner.key);
    const other = (await list(again)).find(({ is_current }) => !is_current);
    expect(await (await end(again, `/${other?.id}`)).json()).toEqual({ ended: 1 });
    expect((await readAccount(mias)).status).toBe(401);
    expect((await readAccount(elsewhere)).status).toBe(401);
  });

  it("end when it is revoked, and are counted", async () => {
    const { id, key } = await addKey();
    const cookies = [await createSessionCookie(key), await createSessionCookie(key)];
    const revoked = await stack.request(account, "DELETE", `/v1/keys/${id}`);
    expect(await revoked.json()).toMatchObject({ ended: { keys: 0, webhooks: 0, sessions: 2 } });
    for (const cookie of cookies) expect((await readAccount(cookie)).status).toBe(401);
  });

  it("are only for Studio", async () => {
    const cookie = await createSessionCookie();
    const path = "/studio/sessions";
    const headers = { "X-Atelier-Studio": "" };
    expect((await askAsPage(stack.url, { path, cookie, headers })).status).toBe(401);
    const key = { Authorization: `Bearer ${account.key}` };
    expect((await askAsPage(stack.url, { path, headers: key })).status).toBe(401);
  });

  it("are at most 100 of an account; a new one replaces the one used least recently", async () => {
    const owner = await stack.createAccount();
    await stack.database.query(
      `INSERT INTO studio_session (id, account_id, key_id, last_used_at, expires_at)
       SELECT uuidv7(), $1, $2, now() - number * interval '1 minute', now() + interval '1 hour'
         FROM generate_series(1, 100) AS number`,
      [owner.accountId, owner.keyId],
    );
    const cookie = await createSessionCookie(owner.key);
    expect(await list(cookie)).toHaveLength(100);
  });
});

describe("a link while somebody else is signed in", () => {
  const useLink = (cookie: string, body: object) =>
    askAsPage(stack.url, { method: "POST", path: "/studio/session", cookie, body });

  it("asks first, naming both accounts, and is not used up", async () => {
    const other = await stack.createAccount();
    secrets.push(other.key);
    await stack.database.query("UPDATE account SET name = 'Lantern Press' WHERE id = $1", [
      other.accountId,
    ]);
    const cookie = await createSessionCookie();
    const link = await createLink(other.key);
    const asked = await useLink(cookie, { link });
    expect(asked.status).toBe(200);
    expect(asked.headers.get("Set-Cookie")).toBeNull();
    expect(await asked.json()).toEqual({ replaces: { account: "test", by: "Lantern Press" } });
    expect(await sessionOf(cookie)).toMatchObject({ account_id: account.accountId });
    const replaced = await useLink(cookie, { link, replace: true });
    expect(replaced.status).toBe(204);
    expect(await sessionOf(cookieOf(replaced))).toMatchObject({ account_id: other.accountId });
  });

  it("asks also for another person of the same account, naming both", async () => {
    const owner = await stack.createAccount();
    secrets.push(owner.key);
    const cookie = await createSessionCookie(owner.key);
    const invite = async (name: string) => {
      const body = { name, role: "maker" };
      const invited = await stack.request(owner, "POST", "/v1/members", body);
      return secretOf(((await invited.json()) as { link: string }).link);
    };
    const [mira, tom] = [await invite("Mira"), await invite("Tom")];
    const asked = await useLink(cookie, { link: mira });
    expect(asked.status).toBe(200);
    expect(asked.headers.get("Set-Cookie")).toBeNull();
    expect(await asked.json()).toEqual({ replaces: { person: "test", by: "Mira" } });
    const signedIn = await useLink(cookie, { link: mira, replace: true });
    expect(signedIn.status).toBe(204);
    const again = await useLink(cookieOf(signedIn), { link: tom });
    expect(await again.json()).toEqual({ replaces: { person: "Mira", by: "Tom" } });
    expect(await sessionOf(cookieOf(signedIn))).toMatchObject({ member: { name: "Mira" } });
  });

  it("does not ask for the same key, or for a link that is used or wrong", async () => {
    const cookie = await createSessionCookie();
    const link = await createLink();
    const signedIn = await useLink(cookie, { link });
    expect(signedIn.status).toBe(204);
    for (const wrong of [link, "x"]) {
      const response = await useLink(cookieOf(signedIn), { link: wrong });
      expect(await errorOf(response)).toEqual([401, "unauthorized"]);
    }
  });
});

it("leaves no key, link or cookie in the log", async () => {
  const log = await stack.api.log();
  expect(log).toContain("/studio/session");
  for (const secret of secrets) expect(log).not.toContain(secret);
});
