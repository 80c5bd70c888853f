import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createStudioLink, studioLinkUrl } from "@atelier/accounts";
import { createDatabase } from "@atelier/database";

const buildScript = fileURLToPath(new URL("../../studio/build.ts", import.meta.url));

/**
 * Builds the pages of Studio if their sources have changed since the last build.
 *
 * @returns why they could not be built; null when they are built. Without a meaning after an interruption.
 */
export async function buildStudio(interrupted: AbortSignal): Promise<string | null> {
  try {
    await promisify(execFile)(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", buildScript],
      { signal: interrupted },
    );
    return null;
  } catch {
    return "Studio could not be built. To see why, run: npm run build --workspace apps/studio";
  }
}

/**
 * Creates a URL that signs in to Studio with a key. It works once, within 24 hours.
 *
 * @param service.url where browsers reach the API.
 */
export async function createStudioUrl(
  databaseUrl: string,
  service: { readonly url: string; readonly key: string; readonly keyPepper: string },
): Promise<string> {
  const { url, key, keyPepper: pepper } = service;
  const applicationName = "atelier-start";
  const database = createDatabase({ url: databaseUrl, poolSize: 1, applicationName });
  try {
    return studioLinkUrl(url, await createStudioLink(database, { key, pepper }));
  } finally {
    await database.close();
  }
}
