import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { homeFiles } from "@atelier/configuration";
import * as z from "zod";
import { readIfPresent, writePrivateJson } from "./private-file.ts";

const secretsShape = z.object({
  database_password: z.string().min(1),
  url_signing_secret: z.string().min(32),
  key_pepper: z.string().min(32),
  admin_key: z.string().min(32),
});

export type Secrets = Readonly<z.infer<typeof secretsShape>>;

/**
 * The secrets of this installation, in `secrets.json`; made once.
 *
 * @throws Error when the file is damaged, or gone while there is a database that needs it.
 */
export async function readOrMakeSecrets(home: string): Promise<Secrets> {
  const path = homeFiles(home).secrets;
  const text = await readIfPresent(path);
  if (text !== null) return parse(path, text);
  if (existsSync(join(home, "postgres", "data"))) {
    throw new Error(
      `${path} is gone, and the database beside it can't be opened without. ` +
        `Put it back, or remove ${home} to begin anew.`,
    );
  }
  const secrets: Secrets = {
    database_password: newSecret(),
    url_signing_secret: newSecret(),
    key_pepper: newSecret(),
    admin_key: newSecret(),
  };
  await writePrivateJson(path, secrets);
  return secrets;
}

function parse(path: string, text: string): Secrets {
  try {
    return secretsShape.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${path} is damaged: put an intact copy back.`, { cause });
  }
}

/** 256 bits. */
function newSecret(): string {
  return randomBytes(32).toString("base64url");
}
