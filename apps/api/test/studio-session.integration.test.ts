import { createKey, createStudioLink, revokeKey, setSuspended } from "@atelier/accounts";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createSession, sessionMs } from "../src/studio/session.ts";
import { image, readError } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { askAsPage, cookieOf, readConfig, serveApi, signIn } from "./support/studio.ts";

let stack: Stack;
let account: TestAccount;
let pepper: string;
let cookieName: string;
/** Everything that a log must not contain. */
const secrets: string[] = [];

beforeAll(async () => {
  stack = await startStack({ postgresUrl: inject("postgresUrl") });
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
    expect(await sessionOf("")).toEqual({ account_id: null, key_id: null });
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
      expect(await ask({ Cookie: cookie.replace("__Host-", "") })).toEqual({
        account_id: null,
        key_id: null,
      });
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

  it("leaves no rows of expired links, which workers remove", async () => {
    await createLink();
    await stack.database.query("UPDATE studio_link SET expires_at = now()");
    const readLinks = () => stack.database.query("SELECT hash FROM studio_link");
    expect(await eventually(readLinks, ({ length }) => length === 0)).toEqual([]);
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
      const links = [await createLink(), "wrong"];
      expect((await signIn(api.url, { link: "wrong" })).status).toBe(401);
      expect((await signIn(api.url, { key: "wrong" })).status).toBe(401);
      for (const link of links) {
        const response = await signIn(api.url, { link });
        expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
        expect(await errorOf(response)).toEqual([429, "rate_limited"]);
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
    for (const headers of [{ Authorization: "Bearer wrong" }, { "X-API-Key": "wrong" }]) {
      expect((await readAccount(cookie, headers)).status).toBe(401);
    }
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
    expect(await sessionOf(cookie)).toEqual({ account_id: null, key_id: null });
    expect(await errorOf(await readAccount(cookie))).toEqual([403, "account_suspended"]);
    await setSuspended(stack.database, account.accountId, false);
    expect(await sessionOf(cookie)).toEqual({ account_id: account.accountId, key_id: id });
    await revokeKey(stack.database, id);
    expect(await sessionOf(cookie)).toEqual({ account_id: null, key_id: null });
    expect(await errorOf(await readAccount(cookie))).toEqual([401, "unauthorized"]);
  });

  it("ends after twelve hours", async () => {
    const config = readConfig(stack, {});
    const cookieFrom = (time: number) =>
      `${cookieName}=${createSession(account.key, config, time)}`;
    const minute = 60_000;
    expect((await readAccount(cookieFrom(Date.now() - sessionMs + minute))).status).toBe(200);
    expect((await readAccount(cookieFrom(Date.now() - sessionMs - minute))).status).toBe(401);
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
  });
});

it("leaves no key, link or cookie in the log", async () => {
  const log = await stack.api.log();
  expect(log).toContain("/studio/session");
  for (const secret of secrets) expect(log).not.toContain(secret);
});
