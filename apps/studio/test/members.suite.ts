import { describe, expect, it } from "vitest";
import { callApi, newAccount, openDatabase, type TestAccount } from "./support/accounts.ts";
import { expectAccessible, looks, takePicture, useBrowser } from "./support/browser.ts";
import { mintKey } from "./support/jobs.ts";
import { hasBrowser, provided } from "./support/provided.ts";

const path = "/studio/members";

interface Linked {
  readonly id: string;
  readonly link: string;
}

async function invite(account: TestAccount, name: string, role: string): Promise<Linked> {
  const response = await callApi(account, "POST", "/v1/members", { name, role });
  return (await response.json()) as Linked;
}

async function membersOf(account: TestAccount) {
  const response = await callApi(account, "GET", "/v1/members");
  const { members } = (await response.json()) as {
    members: { name: string; role: string; disabled_at: string | null }[];
  };
  return members;
}

describe.skipIf(!hasBrowser)("the Members page", () => {
  const open = useBrowser();

  it("invites a member with a link that is shown once, and signs in as that member", async () => {
    const account = await newAccount();
    const studio = await open({ account, path });
    const { page } = studio;
    await page.getByRole("button", { name: "Invite a member" }).click();
    const form = page.getByRole("dialog");
    await page.locator("input:focus").waitFor();
    await page.keyboard.type("Mira Lindqvist");
    await form.getByRole("radio", { name: /^Manager/ }).check();
    await form.getByRole("button", { name: "Invite a member" }).click();
    const dialog = page.getByRole("dialog", { name: "The link for Mira Lindqvist" });
    const link = (await dialog.locator("code").textContent()) ?? "";
    expect(link).toContain("/studio/#link=");
    for (let times = 0; times < 2; times++) await page.keyboard.press("Escape");
    await expectAccessible(studio);
    await dialog.getByText("Send it to Mira Lindqvist yourself").waitFor();
    await takePicture(studio, "members-link");
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByRole("heading", { name: /^Mira Lindqvist Manager/ }).waitFor();
    expect(await page.content()).not.toContain(link);

    const other = await open({ account: null, path: `/studio/${new URL(link).hash}` });
    await other.page.getByTitle("Signed in as Mira Lindqvist, Ada Lovelace").waitFor();
    await other.page.goto(provided().url + path);
    const own = other.page.getByRole("listitem").filter({ hasText: "Mira Lindqvist" });
    await own.getByText("You", { exact: true }).waitFor();
    await expect.poll(() => own.getByRole("button").allTextContents()).toEqual(["Edit", "Disable"]);
    await other.page.getByRole("button", { name: "Invite a member" }).click();
    await expect.poll(() => other.page.getByRole("radio").count()).toBe(1);
  });

  it("offers a manager no change of keys of the operator, and says so", async () => {
    const account = await newAccount();
    const { link } = await invite(account, "Mira", "manager");
    const studio = await open({ account: null, path: `/studio/${new URL(link).hash}` });
    const { page } = studio;
    await page.getByTitle(/^Signed in as Mira/).waitFor();
    await page.goto(`${provided().url}/studio/keys`);
    await page.getByText("Your permissions do not include changes of this key.").waitFor();
    await expect
      .poll(() => page.getByRole("button", { name: /^(Edit|Rotate|Revoke) / }).count())
      .toBe(0);
    await expectAccessible(studio);
  });

  it("names the account of a link before it leads to the identity provider", async () => {
    const { link } = await invite(await newAccount(), "Mira", "maker");
    const { page } = await open({ account: null });
    await page.route("**/studio/session", async (route) => {
      if (route.request().method() !== "GET") return route.continue();
      const response = await route.fetch();
      const session = (await response.json()) as object;
      return route.fulfill({
        response,
        json: { ...session, identity_provider: "login.example" },
      });
    });
    const begun: unknown[] = [];
    await page.route("**/studio/oidc", (route) => {
      begun.push(route.request().postDataJSON());
      return route.fulfill({ json: { url: `${provided().url}/studio/verify` } });
    });
    await page.goto(`${provided().url}/studio/${new URL(link).hash}`);
    const button = page.getByRole("button", {
      name: "Sign in with login.example as a member of Ada Lovelace",
    });
    await button.waitFor();
    expect(begun).toEqual([]);
    await button.click();
    await page.waitForURL("**/studio/verify");
    expect(begun).toEqual([{ bind: true, next: "/" }]);
  });

  it("asks before the link of another person of the account replaces the session", async () => {
    const account = await newAccount();
    const owner = await invite(account, "Ada", "owner");
    const maker = await invite(account, "Mira", "maker");
    const { page } = await open({ account: null, path: `/studio/${new URL(owner.link).hash}` });
    await page.getByTitle(/Signed in as Ada/).waitFor();
    const follow = () =>
      page.evaluate((fragment) => {
        location.hash = fragment;
      }, new URL(maker.link).hash);
    await follow();
    await page.getByRole("heading", { name: "Sign in as Mira?" }).waitFor();
    await page.getByRole("button", { name: "Stay signed in as Ada" }).click();
    await page.getByTitle(/Signed in as Ada/).waitFor();
    await follow();
    await page.getByRole("button", { name: "Sign in as Mira" }).click();
    await page.getByTitle(/Signed in as Mira/).waitFor();
    await expect.poll(() => page.getByRole("link", { name: "Members" }).count()).toBe(0);
  });

  it("changes a role, hands over, disables and enables by keyboard", async () => {
    const account = await newAccount();
    const owner = await invite(account, "Ada", "owner");
    await invite(account, "Ben", "owner");
    await invite(account, "Mira", "maker");
    const { page } = await open({
      account: null,
      path: `/studio/${new URL(owner.link).hash}`,
    });
    await page.getByTitle(/Signed in as Ada/).waitFor();
    await page.goto(provided().url + path);
    const press = async (name: string) => {
      await page.getByRole("button", { name, exact: true }).focus();
      await page.keyboard.press("Enter");
    };
    const item = (name: string) =>
      page.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) });
    await expect.poll(() => item("Ben").getByRole("button").count()).toBe(0);
    await press("Edit Mira");
    await page.getByRole("radio", { name: /^Maker/ }).press("ArrowUp");
    await page.getByRole("button", { name: "Save" }).press("Enter");
    await item("Mira").getByText("Manager", { exact: true }).waitFor();

    await press("Hand over what Mira created");
    await page.getByText("No keys that work.").waitFor();
    await page.getByLabel("To").selectOption({ label: "Ada" });
    await page.getByRole("dialog").getByRole("button", { name: "Hand over" }).press("Enter");
    await page.getByText("Handed over to Ada: keys 0, webhooks 0.").waitFor();

    await press("Disable Mira");
    await page.getByRole("dialog").getByRole("button", { name: "Disable Mira" }).press("Enter");
    await page.getByRole("button", { name: "Show 1 disabled member" }).press("Enter");
    await press("Enable Mira");
    await page.getByText("This creates a link that signs Mira in once").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Enable" }).press("Enter");
    const linked = page.getByRole("dialog", { name: "The link for Mira" });
    await linked.getByRole("button", { name: "Close" }).press("Enter");
    expect((await membersOf(account)).find(({ name }) => name === "Mira")).toMatchObject({
      role: "manager",
      disabled_at: null,
    });
  });

  it("follows a change of the role without a reload: at the next focus, and after a refusal", async () => {
    const account = await newAccount();
    const { id, link } = await invite(account, "Mira", "maker");
    const setRole = async (role: string) => {
      const response = await callApi(account, "PATCH", `/v1/members/${id}`, { role });
      expect(response.status).toBe(200);
    };
    const studio = await open({ account: null, path: `/studio/${new URL(link).hash}` });
    studio.allow(/403/);
    const { page } = studio;
    await page.getByTitle(/^Signed in as Mira/).waitFor();
    const place = page.getByRole("navigation").getByRole("link", { name: "Members" });
    await expect.poll(() => place.count()).toBe(0);
    await page.getByLabel("Prompt", { exact: true }).fill("a boat");
    await setRole("manager");
    await page.evaluate(() => dispatchEvent(new Event("focus")));
    await page.getByText("Your permissions have changed.").waitFor();
    await place.click();
    await page.getByRole("button", { name: "Invite a member" }).click();
    await setRole("maker");
    const form = page.getByRole("dialog");
    await form.getByLabel("Name").fill("Ben");
    await form.getByRole("button", { name: "Invite a member" }).click();
    await place.waitFor({ state: "detached" });
    await expect
      .poll(async () => (await membersOf(account)).map(({ name }) => name))
      .toEqual(["Mira"]);
    await form.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("navigation").getByRole("link", { name: "New image" }).click();
    await expect.poll(() => page.getByLabel("Prompt", { exact: true }).inputValue()).toBe("a boat");
  });

  it("puts a maker into a shared budget, and takes it out again", async () => {
    const account = await newAccount();
    const manager = await invite(account, "Mira", "manager");
    await invite(account, "Ben", "maker");
    const budget = { name: "Makers", eur: "5.00", period: "week" };
    await callApi(account, "POST", "/v1/budgets", budget);
    const studio = await open({
      account: null,
      path: `/studio/${new URL(manager.link).hash}`,
    });
    const { page } = studio;
    await page.getByTitle(/Signed in as Mira/).waitFor();
    await page.goto(provided().url + path);
    await page.getByRole("button", { name: "Edit Ben" }).click();
    await page.getByLabel("Shared budget").selectOption({ label: "Makers" });
    await expectAccessible(studio);
    await takePicture(studio, "members-budget");
    await page.getByRole("button", { name: "Save" }).click();
    const ben = page.getByRole("listitem").filter({ hasText: "Ben" });
    await ben.getByText("Makers", { exact: true }).waitFor();
    await page.goto(`${provided().url}/studio/budgets`);
    await page.getByRole("definition").getByText("Ben", { exact: true }).waitFor();

    await page.goto(provided().url + path);
    await page.getByRole("button", { name: "Edit Ben" }).click();
    await page.getByLabel("Shared budget").selectOption({ label: "None" });
    await page.getByRole("button", { name: "Save" }).click();
    await ben.getByText("Makers", { exact: true }).waitFor({ state: "detached" });
  });

  it("gives a maker a budget of its own, and removes it when the maker becomes a manager", async () => {
    const account = await newAccount();
    await invite(account, "Mira", "maker");
    const budget = { name: "Makers", eur: "5.00", period: "week" };
    await callApi(account, "POST", "/v1/budgets", budget);
    const studio = await open({ account, path });
    const { page } = studio;
    const edit = page.getByRole("button", { name: "Edit Mira" });
    const save = page.getByRole("button", { name: "Save" });
    const dialog = page.getByRole("dialog");
    await edit.click();
    await page.getByRole("checkbox", { name: "Limit what its jobs may cost" }).check();
    await page.getByLabel("Amount (EUR)").fill("2,50");
    await page.getByLabel("Shared budget").selectOption({ label: "Makers" });
    await expectAccessible(studio);
    await save.click();
    await page.getByText("€0.00 of €2.50 per month").waitFor();
    await page.getByRole("definition").filter({ hasText: "Makers" }).waitFor();
    await edit.click();
    await page.getByRole("radio", { name: /^Manager/ }).check();
    await page.getByText("those of Mira are removed when you save").waitFor();
    await save.click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("heading", { name: /^Mira Manager/ }).waitFor();
    await expect.poll(() => page.getByText("of €2.50 per month").count()).toBe(0);

    // In one save, the role comes before the limits.
    await edit.click();
    await page.getByRole("radio", { name: /^Maker/ }).check();
    await page.getByLabel("Shared budget").selectOption({ label: "Makers" });
    await save.click();
    await page.getByRole("definition").filter({ hasText: "Makers" }).waitFor();
    await page.getByRole("heading", { name: /^Mira Maker/ }).waitFor();
  });

  it("tells a maker whom to ask about an exhausted budget", async () => {
    const account = await newAccount();
    const ben = await invite(account, "Ben", "maker");
    const budget = { name: "Makers", eur: "0.00", period: "week" };
    const made = await callApi(account, "POST", "/v1/budgets", budget);
    const { id: budget_id } = (await made.json()) as { id: string };
    const response = await callApi(account, "GET", "/v1/keys");
    const { keys } = (await response.json()) as { keys: { id: string; member_id: string }[] };
    const key = keys.find(({ member_id }) => member_id === ben.id);
    await callApi(account, "PATCH", `/v1/keys/${key?.id}`, { budget_id });
    const studio = await open({ account: null, path: `/studio/${new URL(ben.link).hash}` });
    studio.allow(/402/);
    const { page } = studio;
    const prompt = page.getByLabel("Prompt", { exact: true });
    await prompt.fill("A red kite");
    await page.getByText("This costs more than you may still spend.").waitFor();
    await page.getByText("Ask a manager of the account.").waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByText('The shared budget "Makers" does not cover this request.').waitFor();
    await page.getByText("Ask a manager of the account.").waitFor();
    expect(await page.content()).not.toContain("T00:00:00");
    await takePicture(studio, "members-exhausted");
  });

  it("offers a maker who sees all jobs no change of the jobs of others", async () => {
    const account = await newAccount();
    await callApi(account, "PATCH", "/v1/account", { makers_read_all: true });
    const { id, link } = await invite(account, "Ben", "maker");
    const draw = async (prompt: string) => {
      const body = { model: "builtin-pattern", prompt };
      const response = await callApi(account, "POST", "/v1/generate/image", body);
      return ((await response.json()) as { id: string }).id;
    };
    await draw("a job of another");
    // As if the maker had requested it.
    await openDatabase().query(
      "UPDATE generation SET key_id = (SELECT key_id FROM member WHERE id = $2) WHERE id = $1",
      [await draw("an own job"), id],
    );
    const studio = await open({ account: null, path: `/studio/${new URL(link).hash}` });
    const { page } = studio;
    await page.getByTitle(/^Signed in as Ben/).waitFor();
    await page.goto(`${provided().url}/studio/library`);
    await page.getByRole("button", { name: "Star: an own job" }).waitFor();
    await expect
      .poll(() => page.getByRole("button", { name: "Star: a job of another" }).count())
      .toBe(0);
    await expectAccessible(studio);
    const changes = ["Star", "Keep", "Rename", "Delete image"];
    for (const [prompt, offered] of [
      ["an own job", changes],
      ["a job of another", []],
    ] as const) {
      await page.getByRole("link", { name: new RegExp(prompt) }).click();
      await page.getByRole("button", { name: "Download ZIP" }).waitFor();
      const names = await page.getByRole("dialog").getByRole("button").allInnerTexts();
      expect(names.map((name) => name.trim()).filter((name) => changes.includes(name))).toEqual(
        offered,
      );
      await page.keyboard.press("Escape");
    }
  });

  it("shows a refusal of the service, in German too", async () => {
    const account = await newAccount();
    const owner = await invite(account, "Ada", "owner");
    const studio = await open({
      account: null,
      path: `/studio/${new URL(owner.link).hash}`,
      locale: "de-DE",
    });
    studio.allow(/409/);
    const { page } = studio;
    await page.getByTitle(/Angemeldet als Ada/).waitFor();
    await page.goto(provided().url + path);
    await page.getByRole("button", { name: "Ada sperren" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Ada sperren" }).click();
    await page.getByText("Das ist der letzte Inhaber des Kontos.").waitFor();
    await expectAccessible(studio);
  });

  it.each(looks)("is accessible, apart from the keys of programs: $name", async (look) => {
    const account = await newAccount();
    await invite(account, "Mira Lindqvist with a name that is rather long for a phone", "manager");
    await mintKey(account, { name: "CI" });
    const studio = await open({ account, path, ...look });
    const { page } = studio;
    await page.getByRole("heading", { name: /^Mira/ }).waitFor();
    await expectAccessible(studio);
    await takePicture(studio, `members-${look.name}`);
    await page.goto(`${provided().url}/studio/keys`);
    await page.getByRole("heading", { name: /^CI/ }).waitFor();
    await expect.poll(() => page.getByRole("heading", { name: /^Mira/ }).count()).toBe(0);
  });
});
