import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { homeFiles, restoringPrefix } from "@atelier/configuration";
import * as z from "zod";
import { readIfPresent, writePrivateJson } from "./private-file.ts";

const secretsShape = z.object({
  database_password: z.string().min(1),
  url_signing_secret: z.string().min(32),
  key_pepper: z.string().min(32),
  admin_key: z.string().min(32),
  watermark_secret: z.string().min(32),
  operator_log_key: z.string().min(32),
});

const storedShape = secretsShape.partial({ watermark_secret: true, operator_log_key: true });

export type Secrets = Readonly<z.infer<typeof secretsShape>>;

/**
 * Reads the secrets of this installation from `secrets.json`, which is created once.
 *
 * @throws Error when the file is damaged, or missing although an existing database needs it; Error for a home into which
 *   a restore was interrupted.
 */
export async function readOrMakeSecrets(home: string): Promise<Secrets> {
  const path = homeFiles(home).secrets;
  const text = await readIfPresent(path);
  await refuseRestoring(home);
  if (text !== null) return addMissing(path, text);
  if (existsSync(join(home, "postgres", "data"))) {
    throw new Error(
      `${path} is missing, and the database needs it. ` +
        `Put it back, or remove ${home} to begin anew.`,
    );
  }
  const secrets: Secrets = {
    database_password: newSecret(),
    url_signing_secret: newSecret(),
    key_pepper: newSecret(),
    admin_key: newSecret(),
    watermark_secret: newSecret(),
    operator_log_key: newSecret(),
  };
  await writePrivateJson(path, secrets);
  return secrets;
}

/** A new installation beside the leftovers would look like a restored one without its data. */
async function refuseRestoring(home: string): Promise<void> {
  const names = await readdir(home).catch(() => []);
  const leftover = names.find((name) => name.startsWith(restoringPrefix));
  if (leftover === undefined) return;
  throw new Error(
    `A restore into ${home} runs or was interrupted (${leftover}). Wait for it, or repeat it into an empty folder or volume.`,
  );
}

/** Adds the secrets that an installation of an earlier version does not have. */
async function addMissing(path: string, text: string): Promise<Secrets> {
  const known = parse(path, text);
  const secrets = {
    ...known,
    watermark_secret: known.watermark_secret ?? newSecret(),
    operator_log_key: known.operator_log_key ?? newSecret(),
  };
  if (known.watermark_secret !== undefined && known.operator_log_key !== undefined) return secrets;
  await writePrivateJson(path, secrets);
  return secrets;
}

function parse(path: string, text: string): z.infer<typeof storedShape> {
  try {
    return storedShape.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${path} is damaged. Restore an intact copy.`, { cause });
  }
}

/** 256 bits. */
function newSecret(): string {
  return randomBytes(32).toString("base64url");
}
