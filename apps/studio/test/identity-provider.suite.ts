import { insertAccount } from "@atelier/accounts";
import { newId } from "@atelier/database";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import {
  startIdentityProvider,
  type IdentityProviderServer,
} from "@atelier/testing/identity-provider";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectAccessible, useBrowser } from "./support/browser.ts";
import { hasBrowser, provided } from "./support/provided.ts";

describe.skipIf(!hasBrowser)("signing in through the identity provider", () => {
  const open = useBrowser();
  let provider: IdentityProviderServer;
  let stack: Stack;
  /** The account that the groups of people open. */
  const groupedId = newId();

  beforeAll(async () => {
    // Another site than that of Studio, so that the browser treats its cookies as it does in production.
    provider = await startIdentityProvider("localhost");
    stack = await startStack({
      postgresUrl: provided().postgresUrl,
      workers: 0,
      environment: {
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: provider.clientId,
        OIDC_CLIENT_SECRET: provider.clientSecret,
        OIDC_GROUP_ROLES: `artists=${groupedId}:maker,leads=${groupedId}:owner`,
      },
    });
    provider.serve(`${stack.url}/studio/oidc/callback`);
    const account = { id: groupedId, name: "Grouped", strictness: null, externalId: null };
    await insertAccount(stack.database, account);
  });

  afterAll(async () => {
    await stack?.stop();
    await provider?.close();
  });

  const host = () => new URL(provider.issuer).host;

  /** Opens Studio in a browser that knows neither Studio nor the provider. */
  async function openNew(path = "/studio/", locale = "en-IE") {
    const studio = await open({ url: stack.url, account: null, path, locale });
    studio.allow(/^request to another origin$/);
    return studio;
  }

  async function logIn(page: Page, subject: string): Promise<void> {
    await page.getByLabel("User name").fill(subject);
    await expect.poll(() => new URL(page.url()).origin).toBe(provider.issuer);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`${stack.url}/studio/**`);
  }

  async function invite(account: TestAccount, name: string): Promise<{ id: string; hash: string }> {
    const body = { name, role: "maker" };
    const response = await stack.request(account, "POST", "/v1/members", body);
    const { id, link } = (await response.json()) as { id: string; link: string };
    return { id, hash: new URL(link).hash };
  }

  const signedInAs = (page: Page, name: string) =>
    page.getByTitle(new RegExp(`^Signed in as ${name}`)).waitFor();
  const signInButton = (page: Page) =>
    page.getByRole("button", { name: `Sign in with ${host()}`, exact: true });

  it("binds the person of an invitation, who signs out and later signs in without a link", async () => {
    const account = await stack.createAccount();
    const { id, hash } = await invite(account, "Mira");
    provider.know({ subject: "mira", email: "mira@example.com", isVerified: false });
    const { page, context } = await openNew(`/studio/${hash}`);
    await page.getByRole("button", { name: `Sign in with ${host()} as a member of test` }).click();
    await logIn(page, "mira");
    await signedInAs(page, "Mira");
    const read = await stack.request(account, "GET", "/v1/members");
    expect(await read.json()).toMatchObject({ members: [{ id, has_identity: true }] });
    const cookies = await context.cookies(stack.url);
    expect(cookies).toMatchObject([{ httpOnly: true, sameSite: "Strict" }]);

    await page.getByRole("button", { name: "Sign out" }).click();
    await signInButton(page).waitFor();
    expect(await context.cookies(stack.url)).toEqual([]);
    await page.reload();
    // The provider still knows the person, and shows no page.
    await signInButton(page).click();
    await signedInAs(page, "Mira");

    const { page: other } = await openNew();
    await signInButton(other).click();
    await logIn(other, "mira");
    await signedInAs(other, "Mira");
  });

  it("returns to the page from which the person signed in", async () => {
    const account = await stack.createAccount();
    const { hash } = await invite(account, "Ben");
    provider.know({ subject: "ben", email: "ben@example.com", isVerified: true });
    const first = await openNew(`/studio/${hash}`);
    await first.page.getByRole("button", { name: /as a member of test$/ }).click();
    await logIn(first.page, "ben");
    await signedInAs(first.page, "Ben");

    const { page } = await openNew("/studio/library");
    await signInButton(page).click();
    await logIn(page, "ben");
    await page.getByRole("heading", { name: "Library", level: 1 }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/studio/library");
  });

  it.each([
    {
      locale: "en-IE",
      button: (name: string) => `Sign in with ${name}`,
      unknown: "You are not a member of an account, or your e-mail address is not verified.",
      disabled: "You are disabled in this account. Ask an owner of the account.",
    },
    {
      locale: "de-DE",
      button: (name: string) => `Mit ${name} anmelden`,
      unknown: "Sie sind kein Mitglied eines Kontos, oder Ihre E-Mail-Adresse ist nicht bestätigt.",
      disabled: "Sie sind in diesem Konto gesperrt. Wenden Sie sich an einen Inhaber des Kontos.",
    },
  ])("says why a person can't sign in: $locale", async ({ locale, button, unknown, disabled }) => {
    const stranger = `stranger ${locale}`;
    provider.know({ subject: stranger, email: `${locale}@example.com`, isVerified: true });
    const studio = await openNew("/studio/", locale);
    const { page } = studio;
    const providerButton = page.getByRole("button", { name: button(host()) });
    await providerButton.click();
    await logIn(page, stranger);
    await page.getByText(unknown).waitFor();
    const { hash } = new URL(page.url());
    expect(hash).toBe("");
    await expectAccessible(studio);

    const account = await stack.createAccount();
    const body = { name: "Eve", role: "maker", email: `${locale}@example.com` };
    const invited = await stack.request(account, "POST", "/v1/members", body);
    const { id } = (await invited.json()) as { id: string };
    await providerButton.click();
    await page.getByTitle(/Eve/).waitFor();
    await stack.request(account, "POST", `/v1/members/${id}/disable`);
    await page.reload();
    await providerButton.click();
    await page.getByText(disabled).waitFor();
  });

  it("gives the role of a group at each sign-in, and refuses a person who left all groups", async () => {
    const anna = { subject: "anna", email: "anna@example.com", isVerified: true };
    provider.know({ ...anna, groups: ["artists"] });
    const { page } = await openNew();
    await signInButton(page).click();
    await logIn(page, "anna");
    await signedInAs(page, "anna");
    const members = page.getByRole("link", { name: "Members" });
    await expect.poll(() => members.count()).toBe(0);

    provider.know({ ...anna, groups: ["artists", "leads"] });
    await page.getByRole("button", { name: "Sign out" }).click();
    await signInButton(page).click();
    await signedInAs(page, "anna");
    await members.first().click();
    await page.getByRole("heading", { name: /^anna Owner/ }).waitFor();

    provider.know({ ...anna, groups: [] });
    await page.getByRole("button", { name: "Sign out" }).click();
    await signInButton(page).click();
    await page.getByText("None of your groups may use this account.").waitFor();
  });
});
