import {
  listWithoutHash,
  registerOlderImages,
  setPerceptualHash,
  type ImageWithoutHash,
} from "@atelier/generations/jobs";
import { InvalidImageError } from "@atelier/provenance";
import { fingerprint } from "@atelier/provenance/images";
import type { Environment } from "@atelier/configuration";
import { settleEach } from "@atelier/kit";
import { createDatabase, type Database } from "@atelier/database";
import type { Storage } from "@atelier/storage";
import { findConnection } from "./connection.ts";
import { openStored } from "./open-stored.ts";
import type { Answer } from "./answer.ts";
import type { Remark } from "./remark.ts";

const batch = 500;

/** Fills the registry of the installation in the environment. */
export async function fillRegistry(environment: Environment, remark: Remark): Promise<Answer> {
  const { databaseUrl, storageUrl } = await findConnection(environment);
  const database = createDatabase({
    url: databaseUrl,
    poolSize: 2,
    applicationName: "atelier-registry",
  });
  try {
    if (storageUrl === null) return await fill(database, null, remark);
    const storage = await openStored(storageUrl);
    try {
      return await fill(database, storage, remark);
    } finally {
      await storage.close();
    }
  } finally {
    await database.close();
  }
}

/**
 * Adds earlier images to the registry: the hashes of all files, and perceptual hashes for those
 * whose PNG is still stored. Safe to repeat and to interrupt.
 *
 * @param storage null if not configured: perceptual hashes are skipped.
 */
async function fill(database: Database, storage: Storage | null, remark: Remark): Promise<Answer> {
  let registered = 0;
  for (let count = batch; count === batch;) {
    count = await registerOlderImages(database, batch);
    registered += count;
    remark(`${registered} images registered`);
  }
  const { hashed, unreadable } =
    storage === null ? { hashed: 0, unreadable: 0 } : await hashStored(database, storage, remark);
  return {
    json: { registered, hashed, unreadable },
    text:
      `${registered} images registered, ${hashed} of the registered ones hashed.` +
      (unreadable > 0 ? ` ${unreadable} files could not be read.` : "") +
      (storage === null ? " Set STORAGE_URL to hash those that are still stored." : ""),
  };
}

/** @throws AggregateError after all others are hashed, with the errors of those that could not be. */
async function hashStored(
  database: Database,
  storage: Storage,
  remark: Remark,
): Promise<{ hashed: number; unreadable: number }> {
  let hashed = 0;
  let unreadable = 0;
  const problems: unknown[] = [];
  let after: string | null = null;
  for (;;) {
    const page: ImageWithoutHash[] = await listWithoutHash(database, after, batch);
    await settleEach(page, async ({ renderId, storageKey }) => {
      const stored = await storage.get(storageKey);
      const hash = stored === null ? null : await fingerprint(stored.bytes).catch(nullIfInvalid);
      if (hash === null) unreadable++;
      else {
        await setPerceptualHash(database, renderId, hash);
        hashed++;
      }
    }).catch((error: unknown) => problems.push(error));
    remark(`${hashed} of the registered images hashed`);
    after = page.at(-1)?.renderId ?? null;
    if (page.length < batch) break;
  }
  if (problems.length > 0) throw new AggregateError(problems, problems.map(String).join("; "));
  return { hashed, unreadable };
}

function nullIfInvalid(error: unknown): null {
  if (error instanceof InvalidImageError) return null;
  throw error;
}
