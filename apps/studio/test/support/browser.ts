import { globSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { BrowserContext, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, afterEach, expect } from "vitest";
import { newAccount, type TestAccount } from "./accounts.ts";
import { isFullLane, returnProfile, takeProfile, type Profile } from "./profiles.ts";
import { provided } from "./provided.ts";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const root = fileURLToPath(new URL("../../../../", import.meta.url));
const pictures = `${root}docs/images/studio/`;

const wide = { width: 1440, height: 900 };
export const narrow = { width: 390, height: 844 };

/** The looks that every state is checked in. */
export const looks = [
  { name: "wide-light", viewport: wide, colorScheme: "light" },
  { name: "wide-dark", viewport: wide, colorScheme: "dark" },
  { name: "narrow-light", viewport: narrow, colorScheme: "light" },
  { name: "narrow-dark", viewport: narrow, colorScheme: "dark" },
] as const;

interface OpenOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: "light" | "dark";
  /** The language of the browser; English by default. */
  readonly locale?: string;
  /** Signs in before the page opens; null opens it without a session. By default a new account with credit. */
  readonly account?: TestAccount | null;
  /** Below the address of the service. */
  readonly path?: string;
  /** Another service than the shared one. */
  readonly url?: string;
  /** Cookies and local storage that the browser has kept from before; signs in by them. */
  readonly storage?: StorageState;
}

/** Cookies and local storage, which a browser keeps when it ends. */
type StorageState = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Complaints of a page: none must happen. */
interface Complaint {
  readonly text: string;
  /** The address that the browser names and the test, which the text of a failed request does not say. */
  readonly source: string;
}

/** A page in a browser profile of its own. */
export interface Studio {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly account: TestAccount | null;
  /** Console errors, CSP violations and requests to other origins. */
  readonly complaints: readonly Complaint[];
  /** Errors that a test provokes, such as a 401, which the browser logs. */
  allow(complaint: RegExp): void;
}

/**
 * Opens pages in Chromium for a suite, in a profile without cookies and storage. A profile is taken back after the
 * test that opened it. After the suite, it fails if a page violated the CSP, logged an error or sent a request to
 * another origin.
 */
export function useBrowser(): (options?: OpenOptions) => Promise<Studio> {
  const opened: { studio: Studio; allowed: RegExp[] }[] = [];
  const taken: { profile: Profile; base: string }[] = [];

  const returnAll = () =>
    Promise.all(taken.splice(0).map(({ profile, base }) => returnProfile(profile, base)));

  afterEach(returnAll);
  afterAll(async () => {
    await returnAll();
    const complaints = opened.flatMap(({ studio, allowed }) =>
      studio.complaints.filter(({ text }) => !allowed.some((pattern) => pattern.test(text))),
    );
    expect(complaints).toEqual([]);
  });

  return async (options = {}) => {
    const { viewport = wide, colorScheme = "light", locale = "en-IE", path = "/studio/" } = options;
    const url = options.url ?? provided().url;
    const account = options.account === undefined ? await newAccount() : options.account;
    const profile = await takeProfile({ viewport, colorScheme, locale });
    taken.push({ profile, base: `${url}/${path.startsWith("/admin/") ? "admin" : "studio"}/` });
    const { context, page } = profile;
    if (options.storage !== undefined) await restore(profile, url, options.storage);
    const allowed: RegExp[] = [];
    const studio: Studio = {
      page,
      context,
      account,
      complaints: watchComplaints(page, url),
      allow: (pattern) => allowed.push(pattern),
    };
    opened.push({ studio, allowed });
    if (options.storage === undefined && account !== null) await signIn(context, url, account);
    await page.goto(url + path);
    await page.locator("h1").first().waitFor();
    return studio;
  };
}

/** Gives a profile the cookies and the local storage that another one had when its browser ended. */
async function restore(
  { context, page }: Profile,
  url: string,
  { cookies, origins }: StorageState,
): Promise<void> {
  await context.addCookies(cookies);
  // A document of the same origin without scripts.
  await page.goto(`${url}/studio/icon.svg`);
  const kept = origins.find(({ origin }) => origin === url)?.localStorage ?? [];
  await page.evaluate((entries) => {
    for (const { name, value } of entries) localStorage.setItem(name, value);
  }, kept);
}

/** Collects what must not happen on any page. */
function watchComplaints(page: Page, url: string): readonly Complaint[] {
  const complaints: Complaint[] = [];
  const test = expect.getState().currentTestName ?? "before the tests";
  function complain(text: string, address = page.url()): void {
    complaints.push({ text, source: `${address} in "${test}"` });
  }
  page.on("console", (message) => {
    if (!["error", "warning"].includes(message.type())) return;
    const { url: address } = message.location();
    // The browser may ask for the icon of the document that was shown between two tests.
    if (!address.endsWith("/favicon.ico")) complain(message.text(), address);
  });
  page.on("pageerror", (error) => complain(error.message));
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== url) {
      complain("request to another origin", request.url());
    }
  });
  return complaints;
}

/** Signs in as the sign-in page does. The cookie belongs to the browser profile. */
async function signIn(context: BrowserContext, url: string, account: TestAccount): Promise<void> {
  const response = await context.request.post(`${url}/studio/session`, {
    headers: { "X-Atelier-Studio": "1", Origin: url },
    data: { key: account.key },
  });
  expect(response.status()).toBe(204);
}

const allRules = {
  type: "tag",
  values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
};
const contrastOnly = { type: "rule", values: ["color-contrast"] };

/** Whether a page has the look that all rules are checked in: wide, light and English. */
async function isFirstLook(page: Page): Promise<boolean> {
  const isLightAndEnglish = await page.evaluate(
    () =>
      matchMedia("(prefers-color-scheme: light)").matches && document.documentElement.lang === "en",
  );
  return isLightAndEnglish && (page.viewportSize()?.width ?? 0) >= wide.width;
}

/**
 * Checks the current state of a page: axe finds no violation and nothing is wider than the page. Outside of the full
 * lane, other looks than the first one are checked for contrast only. axe is injected through the debugger, so that
 * the CSP stays on.
 */
export async function expectAccessible({ page }: Pick<Studio, "page">): Promise<void> {
  const rules = isFullLane || (await isFirstLook(page)) ? allRules : contrastOnly;
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: axe });
  const { result } = await session.send("Runtime.evaluate", {
    // Colours in the middle of a transition are those of no state.
    expression: `Promise.allSettled(document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
      .map(({ finished }) => finished)).then(() => axe.run(document, {
      resultTypes: ["violations"],
      runOnly: ${JSON.stringify(rules)},
    })).then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) =>
      [id, ...nodes.map(({ target, failureSummary }) => target.join(" ") + ": " + failureSummary)])))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  expect(JSON.parse(String(result.value))).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
}

/** Writes a picture if UPDATE_PICTURES=1 asks for it and a page of the documentation shows the picture. */
export async function takePicture(
  { page }: Pick<Studio, "page">,
  name: string,
  /** Whether the page has an event stream, so that its requests never end. */
  { isStreaming = false } = {},
): Promise<void> {
  if (process.env["UPDATE_PICTURES"] !== "1" || !isShown(name)) return;
  if (!isStreaming) await page.waitForLoadState("networkidle");
  const picture = await page.screenshot({ animations: "disabled" });
  await sharp(picture).webp({ quality: 82 }).toFile(`${pictures}${name}.webp`);
}

/** Whether a page of the documentation shows a picture of Studio. */
function isShown(name: string): boolean {
  return globSync(["README.md", "docs/*.md"], { cwd: root }).some((page) =>
    readFileSync(`${root}${page}`, "utf8").includes(`images/studio/${name}.webp`),
  );
}
