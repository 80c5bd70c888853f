import { randomBytes } from "node:crypto";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createDevelopmentCertificates } from "@atelier/provenance";
import type { Answer } from "./answer.ts";

/**
 * Makes what a new installation of `docker-compose.yml` keeps secret, one file for each. Files that
 * are there already are never written again, so the command can be repeated.
 *
 * @param storageOrigin where clients reach the S3 server: presigned URLs begin with it.
 * @throws Error when only some of the files that belong together are there.
 */
export async function makeSecrets(folder: string, storageOrigin: string): Promise<Answer> {
  // The folder keeps others out; the files in it are read by the users of several containers.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Also where it was there before: operators put files of their own into it first.
  await chmod(folder, 0o700);
  const there = new Set(await readdir(folder));
  const made: string[] = [];
  for (const group of await secretFiles(storageOrigin)) {
    const missing = Object.entries(group).filter(([name]) => !there.has(name));
    const names = Object.keys(group);
    if (missing.length > 0 && missing.length < names.length) {
      throw new Error(
        `${names.join(", ")} belong together, and only some are in ${folder}. ` +
          "Restore the others, or remove all of these.",
      );
    }
    for (const [name, content] of missing) {
      await writeFile(join(folder, name), `${content.trimEnd()}\n`, { flag: "wx", mode: 0o644 });
      made.push(name);
    }
  }
  const text = made.length === 0 ? `Nothing to do in ${folder}.` : made.join("\n");
  return { json: { folder, made }, text };
}

/** Files by their names, in groups that are of no use without each other. */
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
    { admin_key: secret() },
    { metrics_token: secret() },
    {
      signing_certificate_chain: certificates.certificateChainPem,
      signing_private_key: certificates.privateKeyPem,
      signing_trust_anchors: certificates.rootPem,
    },
  ];
}
