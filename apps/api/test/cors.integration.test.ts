import { openaiErrorBody } from "@atelier/schemas";
import { shareStack, type Stack, type TestAccount } from "@atelier/testing";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readError } from "./support/client.ts";
import { askAsPage, cookieOf, signIn } from "./support/studio.ts";
import { startSecondApi } from "./support/second-api.ts";

const image = { model: "fake-blind", prompt: "a lighthouse at dusk" };
const page = "https://app.example.com";

let stack: Stack;
let account: TestAccount;
/** APIs without the setting, with the origin of the page and an app, and with all origins. */
let closed: string;
let listed: string;
let open: string;

beforeAll(async () => {
  stack = await shareStack();
  account = await stack.createAccount();
  closed = stack.url;
  listed = (await startSecondApi(stack, { CORS_ORIGINS: `${page},tauri://localhost` })).url;
  open = (await startSecondApi(stack, { CORS_ORIGINS: "*" })).url;
});

afterAll(() => stack?.stop());

function preflight(url: string, origin: string, path = "/v1/images/generations") {
  return fetch(url + path, {
    method: "OPTIONS",
    headers: {
      Origin: origin,
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "authorization,content-type,x-atelier-studio",
    },
  });
}

/** `fetch` as a browser has it in a page: with the checks of the Fetch standard. */
function fetchOfPage(origin: string): typeof fetch {
  return async (input, init = {}) => {
    const { origin: server, pathname } = new URL(input instanceof Request ? input.url : input);
    const asked = await preflight(server, origin, pathname);
    const grants = [asked.headers.get("Access-Control-Allow-Origin"), asked.status];
    if (grants[0] !== origin && grants[0] !== "*") throw new TypeError("blocked by CORS");
    const headers = new Headers(init.headers);
    headers.set("Origin", origin);
    const response = await fetch(input, { ...init, headers });
    const allowed = response.headers.get("Access-Control-Allow-Origin");
    if (allowed !== origin && allowed !== "*") throw new TypeError("blocked by CORS");
    const exposed = response.headers.get("Access-Control-Expose-Headers")?.toLowerCase() ?? "";
    const visible = ["content-type", ...exposed.split(", ")];
    const readable = [...response.headers].filter(([name]) => visible.includes(name));
    const { status } = response;
    return new Response(await response.arrayBuffer(), { status, headers: readable });
  };
}

const clientOf = (url: string, origin: string, apiKey = account.key) =>
  new OpenAI({
    baseURL: `${url}/v1`,
    apiKey,
    dangerouslyAllowBrowser: true,
    fetch: fetchOfPage(origin),
    maxRetries: 0,
  });

async function keyWith(fields: object): Promise<string> {
  const response = await stack.request(account, "POST", "/v1/keys", { name: "page", ...fields });
  return ((await response.json()) as { readonly key: string }).key;
}

async function jobs(): Promise<number> {
  const response = await stack.request(account, "GET", "/v1/jobs?limit=100");
  return ((await response.json()) as { readonly jobs: readonly object[] }).jobs.length;
}

describe("with CORS_ORIGINS", () => {
  it.each([page, "tauri://localhost"])("a page of %s makes an image", async (origin) => {
    const { data, response } = await clientOf(listed, origin).images.generate(image).withResponse();
    expect(data.data?.[0]?.b64_json).toBeDefined();
    expect(response.headers.get("X-Service-Job-Id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.headers.get("RateLimit")).not.toBeNull();
  });

  it("answers the preflight without a key, and never allows cookies", async () => {
    const response = await preflight(listed, page);
    expect(response.status).toBe(204);
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe(page);
    expect(response.headers.get("Access-Control-Allow-Headers")).toBe(
      "authorization, content-type",
    );
    expect(response.headers.get("Access-Control-Allow-Methods")).toContain("POST");
    expect(response.headers.get("Access-Control-Allow-Credentials")).toBeNull();
    expect(response.headers.get("Vary")).toContain("Origin");
  });

  it("a page can read errors, also before authentication", async () => {
    const wrong = clientOf(listed, page, "sk-wrong");
    await expect(wrong.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    await expect(clientOf(listed, page).images.generate({ prompt: "" })).rejects.toBeInstanceOf(
      OpenAI.BadRequestError,
    );
  });

  it("refuses a page of another origin before anything is held", async () => {
    const before = await jobs();
    const origin = "https://evil.example.com";
    expect((await preflight(listed, origin)).status).toBe(403);
    const response = await fetch(`${listed}/v1/images/generations`, {
      method: "POST",
      headers: {
        Origin: origin,
        Authorization: `Bearer ${account.key}`,
        "Content-Type": "application/json",
      },
      body: JSON.stringify(image),
    });
    expect(response.status).toBe(403);
    expect(response.headers.get("Access-Control-Allow-Origin")).toBeNull();
    const { error } = openaiErrorBody.parse(await response.json());
    expect(error.message).toContain("Pages of https://evil.example.com may not use this service.");
    expect(await jobs()).toBe(before);
  });

  it("programs without an origin, and pages of this service, are served as before", async () => {
    const headers = { Authorization: `Bearer ${account.key}` };
    for (const origin of [{}, { Origin: listed }]) {
      const response = await fetch(`${listed}/v1/account`, { headers: { ...headers, ...origin } });
      expect([response.status, response.headers.get("Vary")]).toEqual([200, "Origin"]);
      expect(response.headers.get("Access-Control-Allow-Origin")).toBeNull();
    }
  });

  it("a session of Studio counts for no page of another origin", async () => {
    const cookie = cookieOf(await signIn(listed, { key: account.key }));
    const read = (headers: Readonly<Record<string, string>>) =>
      askAsPage(listed, { path: "/v1/account", cookie, headers });
    expect((await read({})).status).toBe(200);
    expect((await read({ Origin: page })).status).toBe(401);
  });

  it.each(["/studio", "/mcp", "/healthz"])("changes nothing at %s", async (path) => {
    const response = await fetch(listed + path, { headers: { Origin: page } });
    expect(response.headers.get("Access-Control-Allow-Origin")).toBeNull();
  });
});

describe("with CORS_ORIGINS=*", () => {
  it("a page needs a key with a budget and without manage", async () => {
    const budget = { budget: { eur: "1.00", period: "day" } };
    const scopes = ["generate", "read"];
    const limited = await keyWith({ ...budget, scopes });
    const { data } = await clientOf(open, page, limited).images.generate(image);
    expect(data?.[0]?.b64_json).toBeDefined();
    const before = await jobs();
    for (const key of [await keyWith({ scopes }), account.key]) {
      await expect(clientOf(open, page, key).images.generate(image)).rejects.toMatchObject({
        status: 403,
        code: "key_not_permitted",
        message: expect.stringContaining("A key in a web page needs a budget"),
      });
    }
    expect(await jobs()).toBe(before);
  });

  it("programs without an origin use any key", async () => {
    const headers = { Authorization: `Bearer ${account.key}` };
    expect((await fetch(`${open}/v1/account`, { headers })).status).toBe(200);
  });
});

it("without CORS_ORIGINS, a preflight is 401 as before", async () => {
  const response = await preflight(closed, page, "/v1/account");
  expect([response.status, (await readError(response)).error]).toEqual([401, "unauthorized"]);
  await expect(clientOf(closed, page).models.list()).rejects.toBeInstanceOf(
    OpenAI.APIConnectionError,
  );
});
