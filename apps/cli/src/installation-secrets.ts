import { randomBytes } from "node:crypto";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createDevelopmentCertificates } from "@atelier/provenance";
import type { Answer } from "./answer.ts";

/**
 * Creates the secrets of a new installation of `docker-compose.yml`, one file for each. Existing
 * files are never overwritten, so the command can be repeated.
 *
 * @param storageOrigin the address at which clients reach the S3 server; presigned URLs start
 *   with it.
 * @throws Error when only some files of a group exist.
 */
export async function makeSecrets(folder: string, storageOrigin: string): Promise<Answer> {
  // The folder denies access to other users; its files are readable by the users of several
  // containers.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Also for an existing folder, because operators may have put their own files into it.
  await chmod(folder, 0o700);
  const existing = new Set(await readdir(folder));
  const created: string[] = [];
  for (const group of await secretFiles(storageOrigin)) {
    const missing = Object.entries(group).filter(([name]) => !existing.has(name));
    const names = Object.keys(group);
    if (missing.length > 0 && missing.length < names.length) {
      throw new Error(
        `${names.join(", ")} belong together, and only some are in ${folder}. ` +
          "Restore the others, or remove all of these.",
      );
    }
    for (const [name, content] of missing) {
      await writeFile(join(folder, name), `${content.trimEnd()}\n`, { flag: "wx", mode: 0o644 });
      created.push(name);
    }
  }
  const text = created.length === 0 ? `Nothing to do in ${folder}.` : created.join("\n");
  return { json: { folder, made: created }, text };
}

/** Returns the files by name, in groups that only work together. */
async function secretFiles(storageOrigin: string): Promise<Record<string, string>[]> {
  const secret = () => randomBytes(24).toString("base64url");
  const [database, queue, s3Access, s3Secret] = [secret(), secret(), secret(), secret()];
  const publicOrigin = encodeURIComponent(storageOrigin);
  const certificates = await createDevelopmentCertificates();
  return [
    {
      database_password: database,
      database_url: `postgres://atelier:${database}@postgres:5432/atelier`,
    },
    { valkey_config: `requirepass ${queue}`, queue_url: `redis://:${queue}@valkey:6379` },
    {
      s3_access_key: s3Access,
      s3_secret_key: s3Secret,
      storage_url: `s3://${s3Access}:${s3Secret}@s3:7070/atelier?tls=false&public=${publicOrigin}`,
    },
    { url_signing_secret: secret() + secret() },
    { key_pepper: secret() + secret() },
    // For other accepted values, during a rotation.
    { old_key_peppers: "" },
    { watermark_secret: secret() + secret() },
    // For earlier values, after a rotation.
    { watermark_old_secrets: "" },
    { admin_key: secret() },
    { metrics_token: secret() },
    {
      signing_certificate_chain: certificates.certificateChainPem,
      signing_private_key: certificates.privateKeyPem,
      signing_trust_anchors: certificates.rootPem,
    },
  ];
}
