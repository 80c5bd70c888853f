import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import type { Unavailable } from "./service.ts";

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

/** A browser that was seen to start. */
export interface FoundChromium {
  /** Its path. */
  readonly executable: string;
}

/**
 * What a browser of a test is started with: headless without a GPU, also as root, and without a
 * request of its own to anybody.
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
 * A Chromium or Chrome of this machine that starts: the one that is named, else the first that is
 * installed. Nothing is downloaded. Throws when the one that is named does not start.
 */
export async function findChromium(
  options: { readonly executable?: string | undefined } = {},
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

/** The path of a command; null when there is none. */
async function findOnPath(command: string): Promise<string | null> {
  try {
    const { stdout } = await execute("sh", ["-c", 'command -v "$1"', "sh", command]);
    return stdout.trim();
  } catch {
    return null;
  }
}

/** An executable that is installed may still lack what it needs to show a page. */
async function starts(executable: string): Promise<boolean> {
  const profile = await mkdtemp(join(tmpdir(), "atelier-chromium-"));
  const look = ["--headless", `--user-data-dir=${profile}`, "--dump-dom", "about:blank"];
  try {
    const { stdout } = await execute(executable, [...chromiumArguments, ...look], {
      timeout: 60_000,
    });
    return stdout.includes("<html>");
  } catch {
    return false;
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
