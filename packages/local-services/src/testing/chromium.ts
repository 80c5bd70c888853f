import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import type { Unavailable } from "../service.ts";

const execute = promisify(execFile);

/** Names of Chromium and Chrome on the PATH, and where macOS keeps them. */
const candidates = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** A browser that starts. */
export interface FoundChromium {
  /** Its path. */
  readonly executable: string;
}

/**
 * Arguments of a test browser: headless, without a GPU, usable as root, without background requests.
 */
export const chromiumArguments: readonly string[] = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Finds an installed Chromium or Chrome that starts: the given one, else the first on this machine.
 * Nothing is downloaded.
 *
 * @throws Error when the given one does not start.
 */
export async function findChromium(
  options: {
    /** Path or name of the browser, which wins over installed ones. Default: the first that starts. */
    readonly executable?: string | undefined;
  } = {},
): Promise<FoundChromium | Unavailable> {
  const named = options.executable;
  if (named !== undefined) {
    if (!(await starts(named))) throw new Error("the Chromium that is configured does not start");
    return { executable: named };
  }
  for (const candidate of candidates) {
    const executable = await findOnPath(candidate);
    if (executable !== null && (await starts(executable))) return { executable };
  }
  return { unavailable: "neither Chromium nor Chrome is installed and starts" };
}

/** The path of a command; null if none exists. */
async function findOnPath(command: string): Promise<string | null> {
  try {
    const { stdout } = await execute("sh", ["-c", 'command -v "$1"', "sh", command]);
    return stdout.trim();
  } catch {
    return null;
  }
}

/** Renders a page, since an installed executable may lack libraries. */
async function starts(executable: string): Promise<boolean> {
  const profile = await mkdtemp(join(tmpdir(), "atelier-chromium-"));
  const dumpArguments = ["--headless", `--user-data-dir=${profile}`, "--dump-dom", "about:blank"];
  try {
    const { stdout } = await execute(executable, [...chromiumArguments, ...dumpArguments], {
      timeout: 60_000,
    });
    return stdout.includes("<html>");
  } catch {
    return false;
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
