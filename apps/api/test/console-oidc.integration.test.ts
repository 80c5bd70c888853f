import { shareStack, type Stack } from "@atelier/testing";
import {
  followSignIn,
  startIdentityProvider,
  type IdentityProviderServer,
  type ProviderPerson,
} from "@atelier/testing/identity-provider";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cookieConfig } from "../src/console/session.ts";
import { sealForCookie } from "../src/studio/sealed-cookie.ts";
import { serveConsoleOf, type Console } from "./support/console.ts";
import { readConfig } from "./support/studio.ts";

const adminUrl = "http://localhost:4321";
const redirectUri = `${adminUrl}/admin/oidc/callback`;

let stack: Stack;
let provider: IdentityProviderServer;
let console: Console;

const settings = () => ({
  ADMIN_URL: adminUrl,
  OIDC_ISSUER: provider.issuer,
  OIDC_OPERATOR_CLIENT_ID: provider.clientId,
  OIDC_OPERATOR_CLIENT_SECRET: provider.clientSecret,
  OIDC_OPERATOR_ROLES:
    "email:Anna@example.com=operator,group:helpdesk=support,group:admins=operator",
});

beforeAll(async () => {
  stack = await shareStack();
  provider = await startIdentityProvider("127.0.0.1", "console");
  provider.serve(redirectUri);
  console = await serveConsoleOf(stack, settings());
});

afterAll(async () => {
  await console.stop();
  await provider.close();
  await stack.stop();
});

/** Sets who signs in at the provider from now on. */
function expectPerson(person: ProviderPerson): void {
  provider.know(person);
  provider.signInNext(person.subject);
}

async function comeBack(callback: URL, cookie: string, { url } = console) {
  const response = await fetch(url + callback.pathname + callback.search, {
    headers: { Cookie: cookie },
    redirect: "manual",
  });
  const set = response.headers.getSetCookie();
  return {
    location: response.headers.get("Location"),
    session: set.find((one) => /^__Host-atelier_console_\d+=[^;]/.test(one)) ?? "",
  };
}

async function begin(at = console) {
  const { body, response } = await at.ask("", "POST", "/admin/v1/session/oidc");
  const cookie = response.headers.get("Set-Cookie")?.split(";")[0] ?? "";
  expect(cookie).toMatch(/^__Host-atelier_console_sign_in_\d+=/);
  return { url: (body as { url: string }).url, cookie };
}

async function enter(as: ProviderPerson) {
  expectPerson(as);
  const { url, cookie } = await begin();
  return comeBack(await followSignIn(url, redirectUri), cookie);
}

const ben: ProviderPerson = {
  subject: "ben",
  email: "ben@example.com",
  isVerified: true,
  groups: [],
};

it.each([
  ["an address", { ...ben, email: "anna@example.com" }, "anna@example.com", "operator"],
  ["a group", { ...ben, groups: ["helpdesk"] }, "ben@example.com", "support"],
  [
    "the group with the most rights",
    { ...ben, isVerified: false, groups: ["helpdesk", "admins"] },
    "sub:ben",
    "operator",
  ],
] as const)("signs in by %s with its role", async (_, as, name, role) => {
  const { location, session } = await enter(as);
  expect(location).toBe("/admin/");
  expect(session).toMatch(/; HttpOnly; Secure; SameSite=Strict$/);
  const cookie = session.split(";")[0] ?? "";
  expect((await console.ask(cookie, "GET", "/admin/v1/session")).body).toMatchObject({
    actor: `console:${name}`,
    role,
    identity_provider: new URL(provider.issuer).host,
  });
});

it("refuses all others, and an address that is not verified", async () => {
  const unverified = { ...ben, email: "anna@example.com", isVerified: false };
  for (const as of [ben, unverified, { ...ben, groups: ["admin"] }]) {
    expect(await enter(as)).toEqual({ location: "/admin/#refused=unknown", session: "" });
  }
});

it("refuses a way back without its attempt, with that of another, and twice", async () => {
  expectPerson({ ...ben, groups: ["admins"] });
  const { url, cookie } = await begin();
  const callback = await followSignIn(url, redirectUri);
  const refused = (reason: string) => ({ location: `/admin/#refused=${reason}`, session: "" });
  expect(await comeBack(callback, "")).toEqual(refused("expired"));
  const other = await begin();
  expect(await comeBack(callback, other.cookie)).toEqual(refused("provider"));
  expect((await comeBack(callback, cookie)).location).toBe("/admin/");
  expect(await comeBack(callback, cookie)).toEqual(refused("provider"));
});

it("leads back to the sign-in after an attempt of another version, and above the limit", async () => {
  const refused = (reason: string) => ({ location: `/admin/#refused=${reason}`, session: "" });
  const limited = await serveConsoleOf(stack, {
    ...settings(),
    FAILED_AUTHENTICATIONS_PER_MINUTE: "1",
  });
  const { cookie } = await begin(limited);
  const config = { ...readConfig(stack, settings()), ADMIN_KEY: stack.adminKey };
  const old = sealForCookie(
    {
      name: "atelier_console_sign_in",
      purpose: "atelier console sign-in attempts",
      sameSite: "lax",
    },
    JSON.stringify({ state: "1" }),
    cookieConfig(config),
  );
  const callback = new URL(`${redirectUri}?code=1&state=1`);
  const [name] = cookie.split("=");
  expect(await comeBack(callback, `${name}=${old}`, limited)).toEqual(refused("expired"));
  expect(await comeBack(callback, cookie, limited)).toEqual(refused("provider"));
  expect(await comeBack(callback, cookie, limited)).toEqual(refused("limited"));
  await limited.stop();
});

it("ends a session when the settings no longer name its group", async () => {
  const { session } = await enter({ ...ben, groups: ["helpdesk"] });
  const cookie = session.split(";")[0] ?? "";
  const changed = await serveConsoleOf(stack, { ...settings(), OIDC_OPERATOR_ROLES: "" });
  expect((await console.ask(cookie, "GET", "/admin/v1/accounts")).status).toBe(200);
  expect((await changed.ask(cookie, "GET", "/admin/v1/accounts")).status).toBe(401);
  await changed.stop();
});

it("does not start with settings that are unsafe or contradict each other", async () => {
  const twice = "email:anna@example.com=support,email:Anna@example.com=operator";
  for (const [changed, message] of [
    [{ ADMIN_URL: "http://console.example.com" }, "must be an https:// URL without a path"],
    [{ ADMIN_URL: "https://example.com/console" }, "must be an https:// URL without a path"],
    [{ SUPPORT_KEY: stack.adminKey }, "SUPPORT_KEY: is ADMIN_KEY"],
    [{ OIDC_OPERATOR_ROLES: twice }, "must have one role for each address and group"],
    [{ OIDC_OPERATOR_CLIENT_ID: "" }, "OIDC_OPERATOR_ROLES: needs OIDC_OPERATOR_CLIENT_ID"],
  ] as const) {
    await expect(serveConsoleOf(stack, { ...settings(), ...changed })).rejects.toThrow(message);
  }
});

it("does not start with the client of Studio, or without the address of the console", async () => {
  const same = { ...settings(), OIDC_CLIENT_ID: provider.clientId };
  await expect(serveConsoleOf(stack, same)).rejects.toThrow("is the client of Studio");
  const without = { ...settings(), ADMIN_URL: "" };
  await expect(serveConsoleOf(stack, without)).rejects.toThrow("needs OIDC_ISSUER and ADMIN_URL");
});
