import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { texts as german } from "../src/languages/de/texts/console.ts";
import { texts as english } from "../src/texts/console.ts";
import { callApi, newAccount, type TestAccount } from "./support/accounts.ts";
import { expectAccessible, looks, narrow, useBrowser } from "./support/browser.ts";
import { countClicks } from "./support/clicks.ts";
import {
  balanceOf,
  breakLane,
  enterKey,
  makeJob,
  openConsole,
  type MadeJob,
} from "./support/console.ts";
import { findClippedControls, findOverflow } from "./support/every-page.ts";
import { hasBrowser, provided } from "./support/provided.ts";

const lanesOf = (page: Page) => page.getByRole("region", { name: "Lanes and providers" });
const longWord = "Donaudampfschifffahrtsgesellschaftskapitän";

describe.skipIf(!hasBrowser)("the console", () => {
  const open = useBrowser();
  let account: TestAccount;
  let job: MadeJob;

  beforeAll(async () => {
    account = await newAccount("10", `Marzipan ${longWord}`);
    job = await makeJob(account);
  });

  it("refuses a wrong key, and opens the page of the address with the right one", async () => {
    const { adminUrl, adminKey } = provided();
    const studio = await open({ account: null, url: adminUrl, path: "/admin/health" });
    studio.allow(/401/);
    const { page } = studio;
    await page.getByRole("heading", { name: english.console.session.title }).waitFor();
    await expectAccessible(studio);
    await enterKey(studio, "not the key of the operators");
    await page.locator("input[aria-invalid]").waitFor();
    await expectAccessible(studio);
    await enterKey(studio, adminKey);
    await page.getByRole("heading", { name: "Health", level: 1 }).waitFor();
    await expect.poll(() => page.title()).toBe("Health · Atelier console");
  });

  it("leads to the sign-in page after signing out, and after the session has ended", async () => {
    const studio = await openConsole(open, "/accounts?q=marzipan");
    studio.allow(/401/);
    const { page, context } = studio;
    await page.getByRole("link", { name: `Marzipan ${longWord}` }).waitFor();
    await context.clearCookies();
    await page.getByRole("link", { name: "Health" }).first().click();
    await page.getByText(english.console.session.expired).waitFor();
    await enterKey(studio, provided().adminKey);
    await page.getByRole("heading", { name: "Health", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: english.console.session.title }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: english.console.session.title }).waitFor();
    expect(await context.cookies()).toEqual([]);
  });

  it("finds an account by the beginning of a word, and shows its keys without secrets", async () => {
    const { page } = await openConsole(open, "/accounts");
    await page.getByLabel("Find an account").fill("Donaudampf");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: `Marzipan ${longWord}` }).click();
    await page.getByRole("heading", { name: `Marzipan ${longWord}`, level: 1 }).waitFor();
    await page.getByText("€9.99", { exact: true }).waitFor();
    const keys = page.getByRole("region", { name: "Keys" });
    await keys.getByText(`…${account.key.slice(-4)}`).waitFor();
    expect(await page.content()).not.toContain(account.key);
    await page.goBack();
    await expect.poll(() => page.getByLabel("Find an account").inputValue()).toBe("Donaudampf");
  });

  it("books a top-up once when its response is lost and it is sent again", async () => {
    const one = await newAccount("1");
    const studio = await openConsole(open, `/accounts/${one.accountId}`);
    studio.allow(/ERR_FAILED|401/);
    const { page, context } = studio;
    await page.route(
      "**/top-ups",
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    const fill = async () => {
      await page.getByRole("button", { name: "Top up" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Amount (EUR)").fill("20");
      await dialog.getByLabel("Reason").fill("paid by transfer");
      const reference = await dialog.getByLabel("Reference").inputValue();
      await dialog.getByText("Adds €20.00 to the balance").waitFor();
      await dialog.getByRole("button", { name: "Top up" }).click();
      return { dialog, reference };
    };
    const lost = await fill();
    await lost.dialog.getByText("The service cannot be reached.").waitFor();
    // The second try is refused, because the session has ended.
    await context.clearCookies();
    await lost.dialog.getByRole("button", { name: "Top up" }).click();
    await page.getByText(english.console.session.expired).waitFor();
    await page.reload();
    await enterKey(studio, provided().adminKey);
    await page.getByRole("button", { name: "Top up" }).click();
    const again = page.getByRole("dialog");
    await again.getByText(english.console.booking.open).waitFor();
    for (const [label, value] of [
      ["Amount (EUR)", "20"],
      ["Reason", "paid by transfer"],
      ["Reference", lost.reference],
    ] as const) {
      await expect.poll(() => again.getByLabel(label, { exact: true }).inputValue()).toBe(value);
    }
    await again.getByRole("button", { name: "Top up" }).click();
    await page.getByText("This reference was booked before").waitFor();
    await page.getByText("€21.00", { exact: true }).waitFor();
    expect(await balanceOf(one)).toBe(21);
    await page.getByRole("button", { name: "Top up" }).click();
    await expect.poll(() => page.getByLabel("Reference").inputValue()).not.toBe(lost.reference);
  });

  it("withdraws no more than the balance, suspends and resumes an account by keyboard", async () => {
    const one = await newAccount("1");
    const studio = await openConsole(open, `/accounts/${one.accountId}`);
    studio.allow(/409/);
    const { page } = studio;
    const press = async (name: string) => {
      await page.getByRole("button", { name, exact: true }).first().focus();
      await page.keyboard.press("Enter");
    };
    await press("Withdraw");
    await page.getByLabel("Amount (EUR)").fill("1.50");
    await page.getByLabel("Reason").fill("paid back");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Amount (EUR)").fill("0.40");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await balanceOf(one)).toBe(0.6);

    await press("Suspend");
    await page.keyboard.type("unpaid since October");
    await page.keyboard.press("Enter");
    await page.getByText("Suspended", { exact: true }).first().waitFor();
    await page.getByText("unpaid since October", { exact: true }).waitFor();
    await page.getByText("console:operator-key", { exact: true }).waitFor();
    await press("Resume");
    await page.keyboard.type("paid");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Suspend", exact: true }).waitFor();
    await expect
      .poll(() => page.getByText("unpaid since October", { exact: true }).count())
      .toBe(0);
    expect(await balanceOf(one)).toBe(0.6);
  });

  it("asks to confirm a large amount", async () => {
    const one = await newAccount("1");
    const studio = await openConsole(open, `/accounts/${one.accountId}`);
    studio.allow(/400/);
    const { page } = studio;
    await page.getByRole("button", { name: "Top up" }).click();
    await page.getByLabel("Amount (EUR)").fill("10001");
    await page.getByLabel("Reason").fill("a large order");
    await page.keyboard.press("Enter");
    await page.getByRole("checkbox", { name: "Yes, €10,001.00" }).check();
    await page.keyboard.press("Enter");
    await page.getByText("€10,002.00", { exact: true }).waitFor();
    expect(await balanceOf(one)).toBe(10_002);
  });

  it.each([
    ["the id of a job", () => job.id],
    ["the id of a request", () => job.requestId],
    ["the SHA-256 of a file", () => job.sha256.toUpperCase()],
  ])("opens a job by %s", async (_name, text) => {
    const { page } = await openConsole(open, "/jobs");
    await page.getByLabel("Find a job").fill(text());
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/admin/jobs/${job.id}`);
    await page.getByRole("link", { name: `Marzipan ${longWord}` }).waitFor();
    const life = await page.getByRole("listitem").allTextContents();
    expect(life.filter((line) => line.includes("Charged"))).toHaveLength(1);
  });

  it("moves the focus to the content of each page that is opened, by keyboard alone", async () => {
    const { page } = await openConsole(open, "/accounts");
    /** The heading in the element that has the focus; null while the page is loaded. */
    const arrived = () =>
      page.evaluate(() => {
        const focused = document.activeElement;
        const isPage = focused?.id === "main" && focused.ariaBusy !== "true";
        return isPage ? (focused.querySelector("h1, h2")?.textContent ?? "") : null;
      });
    const follow = async (name: string) => {
      await page.getByRole("link", { name, exact: true }).first().focus();
      await page.keyboard.press("Enter");
    };
    await expect.poll(arrived).toBe("Accounts");
    await follow(`Marzipan ${longWord}`);
    await expect.poll(arrived).toBe(`Marzipan ${longWord}`);
    await follow("Health");
    await expect.poll(arrived).toBe("Health");
    await follow("Jobs");
    await expect.poll(arrived).toBe("Jobs");
    await page.getByLabel("Find a job").focus();
    await page.keyboard.type(job.requestId);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/admin/jobs/${job.id}`);
    await expect.poll(arrived).toBe("Job");
    await page.goBack();
    await expect.poll(arrived).toBe("Jobs");
  });

  it("searches the time that a German page prints, and names a date that does not exist", async () => {
    const { page } = await openConsole(open, `/jobs/${job.id}`, { locale: "de-DE" });
    const { jobs } = german.console;
    const printed = await page
      .getByText(/^\d{2}\.\d{2}\.\d{4}, \d{2}:\d{2}:\d{2}$/)
      .first()
      .textContent();
    await page.getByRole("link", { name: jobs.title }).first().click();
    const field = page.getByLabel(jobs.field);
    await page.getByText(Intl.DateTimeFormat().resolvedOptions().timeZone).waitFor();
    await field.fill(printed ?? "");
    await page.keyboard.press("Enter");
    await page.locator(`[href$="${job.id}"], h1:text-is("${jobs.one}")`).first().waitFor();
    await page.goto(`${provided().adminUrl}/admin/jobs?q=31.02.2026`);
    await page.getByRole("heading", { name: jobs.noTime }).waitFor();
    await expect.poll(() => page.getByRole("heading", { name: jobs.nothing }).count()).toBe(0);
  });

  it("lists the jobs of a time, and says when a text leads to none", async () => {
    const { page } = await openConsole(open, "/jobs");
    const field = page.getByLabel("Find a job");
    // Another job of that time, so that the list is not left for the only one.
    const other = await makeJob(await newAccount());
    await field.fill(`${new Date().toISOString().slice(0, 16)}Z`);
    await page.keyboard.press("Enter");
    await page.locator(`[href$="${other.id}"]`).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/admin/jobs");
    await field.fill("no-such-request");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "No job found" }).waitFor();
  });

  it("leads from an account to its jobs, narrows them by state and time, and back to all", async () => {
    const one = await newAccount("1");
    const made = await makeJob(one);
    const { page } = await openConsole(open, `/accounts/${one.accountId}`, { role: "support" });
    await page.getByRole("main").getByRole("link", { name: "Jobs", exact: true }).click();
    // The only job of an account is listed, not opened.
    const link = page.locator(`[href$="${made.id}"]`);
    await link.waitFor();
    const states = page.getByRole("group", { name: "State" });
    const nothing = page.getByText(english.console.jobs.nothingOfAccount);
    await states.getByLabel("Failed").check();
    await nothing.waitFor();
    await states.getByLabel("Completed").check();
    await link.waitFor();
    const field = page.getByLabel("Find a job");
    await field.fill("2020-01-01");
    await page.keyboard.press("Enter");
    await nothing.waitFor();
    await field.fill("");
    await page.keyboard.press("Enter");
    await link.waitFor();
    await expect
      .poll(() => new URL(page.url()).search)
      .toBe(`?account=${one.accountId}&status=completed`);
    await page.getByRole("button", { name: english.console.jobs.allAccounts }).click();
    await link.waitFor({ state: "detached" });
    await expect.poll(() => new URL(page.url()).search).toBe("");
    // Another clue finds jobs of all accounts.
    await page.goto(`${provided().adminUrl}/admin/jobs?account=${one.accountId}`);
    await link.waitFor();
    await field.fill(job.requestId);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/admin/jobs/${job.id}`);
  });

  it("lists the transactions of an account page by page, and again after a booking", async () => {
    const one = await newAccount("1");
    const made = await makeJob(one);
    const again = Array.from({ length: 9 }, () => makeJob(one));
    await Promise.all(again);
    const { page } = await openConsole(open, `/accounts/${one.accountId}`);
    const table = page.getByRole("region", { name: "Transactions" });
    await table.getByText("Charge").first().waitFor();
    await expect.poll(() => table.getByRole("row").count()).toBe(11);
    await page.getByRole("button", { name: english.common.more }).click();
    await table.getByText("Top-up").waitFor();
    await page.getByRole("button", { name: "Withdraw" }).click();
    await page.getByLabel("Amount (EUR)").fill("0.50");
    await page.getByLabel("Reason").fill("paid back");
    await page.keyboard.press("Enter");
    const booked = table.getByRole("row", { name: /Withdrawal/ });
    await booked.getByText("-€0.50").waitFor();
    await booked.getByText(/^withdrawal-/).waitFor();
    await table.locator(`[href$="/jobs/${made.id}"]`).click();
    await page.waitForURL(`**/admin/jobs/${made.id}`);
  });

  it("opens the job of a picture that is dropped", async () => {
    const { page } = await openConsole(open, "/jobs");
    const dataTransfer = await page.evaluateHandle(
      (bytes) => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(bytes)], "picture.png", { type: "image/png" }));
        return data;
      },
      [...job.file],
    );
    await page.locator("main").dispatchEvent("drop", { dataTransfer });
    await expect.poll(() => page.url()).toMatch(`/admin/jobs/${job.id}`);
  });

  it("pauses a lane, shows whose images wait in it, and resumes it, on a narrow screen without scrolling", async () => {
    const { page } = await openConsole(open, "/health", { viewport: narrow });
    const pause = page.getByRole("button", { name: "Pause fake-resumable" });
    await pause.waitFor();
    const right = await pause.evaluate((button) => button.getBoundingClientRect().right);
    expect(right).toBeLessThan(narrow.width - 24);
    const region = page.getByRole("region", { name: english.console.health.lanes });
    await expect.poll(() => region.evaluate((part) => part.scrollWidth - part.clientWidth)).toBe(0);
    await pause.click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Images in work are finished").waitFor();
    await dialog.getByRole("button", { name: "Pause fake-resumable" }).click();
    const lane = lanesOf(page).getByRole("row", { name: /^fake-resumable/ });
    await lane.getByText("Paused", { exact: true }).waitFor();
    const one = await newAccount("10", "Nougat & Söhne");
    const image = callApi(one, "POST", "/v1/generate/image", {
      model: "fake-resumable",
      prompt: "a lighthouse at dusk",
    });
    const busiest = page.getByRole("region", { name: "Busiest accounts" });
    const row = busiest.getByRole("row", { name: /Nougat & Söhne/ });
    await row.getByRole("link").waitFor();
    await expect
      .poll(() => row.getByRole("cell").allTextContents())
      .toEqual(["fake-resumable", "1", "0"]);
    await expect
      .poll(() => row.getByRole("link").getAttribute("href"))
      .toBe(`/admin/accounts/${one.accountId}`);
    await page.getByRole("button", { name: "Resume fake-resumable" }).click();
    await dialog.getByRole("button", { name: "Resume fake-resumable" }).click();
    await expect.poll(() => lane.textContent()).not.toContain("Paused");
    expect((await image).status).toBe(200);
  });

  it.each([
    { name: "English", locale: "en-IE", texts: english },
    { name: "German", locale: "de-DE", texts: german },
  ])("explains a failing provider and silent workers, in $name", async ({ locale, texts }) => {
    const { health, jobs } = texts.console;
    await breakLane();
    const { page } = await openConsole(open, "/health", { locale });
    const provider = page.getByRole("row", { name: /^broken/ });
    for (const text of [
      health.circuits.open,
      health.failuresInRow(3),
      jobs.events["call call timed_out"] ?? "",
    ]) {
      await provider.getByText(text).waitFor();
    }
    await expect.poll(() => provider.getByText("status 503").count()).toBe(1);
    await expect.poll(() => provider.getByRole("button").count()).toBe(0);
    await page.getByRole("row", { name: /^lost/ }).getByText(health.notServed("broken")).waitFor();
    await page
      .getByRole("row", { name: /^moved/ })
      .getByText(health.replaced, { exact: true })
      .waitFor();
  });

  it("shows no button that changes something to support", async () => {
    const { page } = await openConsole(open, "/health", { role: "support" });
    await page.getByText("Support, reads only").waitFor();
    await lanesOf(page)
      .getByRole("row", { name: /^builtin / })
      .waitFor();
    await expect.poll(() => page.getByRole("button", { name: /^(Pause|Resume)/ }).count()).toBe(0);
    for (const path of [`accounts/${account.accountId}`, `jobs/${job.id}`]) {
      await page.goto(`${provided().adminUrl}/admin/${path}`);
      await page.locator("h1").first().waitFor();
      await page.locator("[aria-busy]").waitFor({ state: "detached" });
      await expect.poll(() => page.locator("main > header button").count()).toBe(0);
    }
  });

  it.each([
    { name: "English", locale: "en-IE", texts: english },
    { name: "German", locale: "de-DE", texts: german },
  ])(
    "takes at most 6 clicks from the id of a request to its refund, in $name",
    async ({ locale, texts }) => {
      const one = await newAccount("1");
      const made = await makeJob(one);
      expect(await balanceOf(one)).toBe(0.99);
      const studio = await openConsole(open, "/", { locale });
      const { page } = studio;
      const { jobs, booking } = texts.console;
      const clicks = await countClicks(studio);
      await page.getByRole("link", { name: jobs.title }).first().click();
      await page.getByLabel(jobs.field).click();
      await page.keyboard.type(made.requestId);
      await page.keyboard.press("Enter");
      await page
        .getByText(jobs.events["ledger settle"] ?? "")
        .first()
        .waitFor();
      await page.getByRole("button", { name: jobs.refund }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel(booking.reason).click();
      await page.keyboard.type("The picture was empty");
      await dialog.getByRole("button", { name: jobs.refund }).click();
      await page
        .getByText(jobs.events["ledger refund"] ?? "")
        .first()
        .waitFor();
      await dialog.waitFor({ state: "detached" });
      await expect.poll(() => page.getByRole("button", { name: jobs.refund }).count()).toBe(0);
      expect(await balanceOf(one)).toBe(1);
      expect(clicks()).toBeGreaterThan(3);
      expect(clicks()).toBeLessThanOrEqual(6);
    },
  );

  it.each(looks)(
    "is accessible, fits, and needs at most 3 requests a page: $name",
    async (look) => {
      const locale = look.colorScheme === "dark" ? "de-DE" : "en-IE";
      const studio = await openConsole(open, "/accounts", { ...look, locale });
      const { page, countRequests } = studio;
      const paths = [
        "accounts",
        `accounts/${account.accountId}`,
        "jobs",
        `jobs?q=${new Date().toISOString().slice(0, 10)}`,
        `jobs?account=${account.accountId}`,
        `jobs/${job.id}`,
        "health",
        "nowhere",
      ];
      for (const path of paths) {
        const before = countRequests();
        await page.goto(`${provided().adminUrl}/admin/${path}`);
        await page.locator("h1").first().waitFor();
        await page.locator("[aria-busy], main > [role=status]").waitFor({ state: "detached" });
        await page.waitForLoadState("networkidle");
        expect({ path, isFew: countRequests() - before <= 3 }).toEqual({ path, isFew: true });
        await expectAccessible(studio);
        expect([path, await findOverflow(studio)]).toEqual([path, []]);
        const action = page.locator("main > header button").first();
        if ((await action.count()) === 0) continue;
        await action.click();
        await page.getByRole("dialog").waitFor();
        await expectAccessible(studio);
      }
    },
  );

  it.each([
    { name: "English", locale: "en-IE" },
    { name: "German", locale: "de-DE" },
  ])("fits at 200 % zoom, with no control cut off, in $name", async ({ locale }) => {
    await breakLane();
    // A window of 1,280 × 800 pixels.
    const viewport = { width: 640, height: 400 };
    const studio = await openConsole(open, "/accounts", { viewport, locale });
    const { page } = studio;
    for (const path of [
      "accounts",
      `accounts/${account.accountId}`,
      "jobs",
      `jobs?q=${new Date().toISOString().slice(0, 10)}`,
      `jobs/${job.id}`,
      "health",
    ]) {
      await page.goto(`${provided().adminUrl}/admin/${path}`);
      await page.locator("h1").first().waitFor();
      await page.locator("[aria-busy], main > [role=status]").waitFor({ state: "detached" });
      const over = () =>
        page.evaluate(() => document.documentElement.scrollWidth - document.body.clientWidth);
      expect({
        path,
        over: await over(),
        wide: await findOverflow(studio),
        clipped: await findClippedControls(studio),
      }).toEqual({ path, over: 0, wide: [], clipped: [] });
      const action = page.locator("main > header button").first();
      if ((await action.count()) === 0) continue;
      await action.click();
      const dialog = page.getByRole("dialog");
      await dialog.waitFor();
      const clipped = await findClippedControls(studio);
      expect({ path, over: await over(), clipped }).toEqual({ path, over: 0, clipped: [] });
      // A dialog that is higher than the window scrolls to its buttons.
      const last = dialog.getByRole("button").last();
      await last.scrollIntoViewIfNeeded();
      await expect
        .poll(() => last.evaluate((button) => button.getBoundingClientRect().bottom))
        .toBeLessThanOrEqual(viewport.height);
      await page.keyboard.press("Escape");
    }
  });
});
