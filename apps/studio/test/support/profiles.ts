import { chromiumArguments } from "@atelier/local-services";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { provided } from "./provided.ts";

/** The lane before a release: each page in a profile of its own, and all rules of axe in every look. */
export const isFullLane = process.env["ATELIER_TEST_LANE"] === "full";

/** Size, theme and language of a browser. */
export interface Look {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: "light" | "dark";
  readonly locale: string;
}

/** A browser profile with its page. */
export interface Profile {
  readonly look: Look;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Whether a test changed it in a way that `clear` does not undo. */
  isAltered: boolean;
}

/** Changes that outlive the documents of a page. */
const lasting = [
  "addInitScript",
  "exposeBinding",
  "exposeFunction",
  "setExtraHTTPHeaders",
] as const;

/** The profiles of this worker that no test uses, the one used last at the end. Each is a process of Chromium. */
const idle: Profile[] = [];
const mostIdle = 4;

let browser: Promise<Browser> | undefined;

/** Starts the browser of this worker, which ends with it. */
function launch(): Promise<Browser> {
  browser ??= chromium.launch({
    executablePath: provided().chromium,
    args: [...chromiumArguments],
    timeout: 120_000,
  });
  return browser;
}

/** Returns a profile without cookies and storage. A new one costs three times the CPU time of one that was used. */
export async function takeProfile(look: Look): Promise<Profile> {
  const isSame = ({ look: other }: Profile) => JSON.stringify(other) === JSON.stringify(look);
  const used = idle.findLast(isSame);
  if (used !== undefined) {
    idle.splice(idle.indexOf(used), 1);
    return used;
  }
  const isMobile = look.viewport.width < 500;
  const context = await (
    await launch()
  ).newContext({
    ...look,
    isMobile,
    hasTouch: isMobile,
    permissions: ["clipboard-read", "clipboard-write"],
    // Contrast is measured in the final state.
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(60_000);
  const profile = { look, context, page: await context.newPage(), isAltered: false };
  noteAlterations(profile);
  return profile;
}

/**
 * Takes a profile back from a test, for the next one.
 *
 * @param base the address of the app that it showed, such as `…/studio/`.
 */
export async function returnProfile(profile: Profile, base: string): Promise<void> {
  if (isFullLane || profile.isAltered || !(await isCleared(profile, base))) {
    await profile.context.close();
    return;
  }
  idle.push(profile);
  if (idle.length > mostIdle) await idle.shift()?.context.close();
}

/** Clears a profile; false if a test closed its page or stopped its service. */
async function isCleared(profile: Profile, base: string): Promise<boolean> {
  try {
    await clear(profile, base);
    return true;
  } catch {
    return false;
  }
}

async function clear({ look, context, page }: Profile, base: string): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close();
  page.removeAllListeners();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await context.unrouteAll({ behavior: "ignoreErrors" });
  await context.setOffline(false);
  // A document of the same origin without scripts ends the requests of the page, and keeps its process.
  await page.goto(`${base}icon.svg`, { timeout: 10_000 });
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await context.clearCookies();
  await page.setViewportSize(look.viewport);
  await page.emulateMedia({
    media: null,
    colorScheme: look.colorScheme,
    reducedMotion: "reduce",
  });
  // The next page has nothing under the pointer.
  await page.mouse.move(-1, -1);
}

function noteAlterations(profile: Profile): void {
  for (const owner of [profile.context, profile.page]) {
    for (const name of lasting) {
      const alter = owner[name].bind(owner) as (...values: unknown[]) => Promise<unknown>;
      Object.assign(owner, {
        [name]: (...values: unknown[]) => {
          profile.isAltered = true;
          return alter(...values);
        },
      });
    }
  }
}
