import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createDatabase, type Database } from "@atelier/database";
import { createTestDatabase } from "@atelier/local-services";
import { createStorage } from "@atelier/storage";
import { fillHistory, findWord, listTextColumns, plantWord } from "@atelier/testing";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { run } from "./run.ts";

/** A word of the account, in every column that can have words of a client. */
const word = "marzipan";

/** Columns that never have words of a client: ids, hashes, names of models and of the operator's machines. */
const withoutWords: readonly RegExp[] = [
  /^operator_log[.]|^operator_log_values[.]salt$/,
  /^(api_key|studio_link|webhook|webhook_secret|test_webhook_secret|idempotency_key|batch|cast_member|upload|moderation_decision|share)[.].*(hash|secret|pepper_id|last_four|sha256|storage_key)$/,
  /^(image|mark|mark_file|kept_file|archive_part|upload)[.](storage_key|source_key|pending_key|sha256|month|watermark_id|perceptual_hash|parent_watermarks|model)$/,
  /^api_key[.](scopes|models)$/,
  /^(generation|render|archived_usage|provider_call|refund)[.](model|lane|provider|server|units|price|cost_currency)$/,
  /^moderation_decision[.](moderator|category|path|certainty)$/,
  /^(webhook|generation_webhook)[.]events$/,
  /^(account|webhook_delivery)[.](language|type)$/,
  /^(rate_limit|lane_health|engine_server|engine_speed|engine_place|recurring_task|worker|maintenance|sweep_progress|backfill)[.]/,
];

let database: Database;
let url: string;
let directory: string;
let close: () => Promise<void>;

beforeAll(async () => {
  const testDatabase = await createTestDatabase(inject("postgresUrl"));
  ({ url } = testDatabase);
  database = createDatabase({ url, poolSize: 3, applicationName: "test" });
  directory = await mkdtemp(join(tmpdir(), "atelier-words-"));
  const storage = await createStorage({
    url: pathToFileURL(directory).href,
    publicUrl: "http://localhost",
    signingSecret: "a secret that is only for tests and long enough",
  });
  close = async () => {
    await storage.close();
    await database.close();
    await testDatabase.drop();
    await rm(directory, { recursive: true, force: true });
  };
});

afterAll(() => close());

it("leaves no word of an account in any column but those that docs/privacy.md lists", async () => {
  const [accountId = ""] = await fillHistory(database, { accounts: 1, generations: 6 });
  await plantWord(database, accountId, word);
  // A column that is added later is planted here, or is one that never has words.
  const planted = new Set(await findWord(database, word));
  const unknown = (await listTextColumns(database))
    .map(({ name }) => name)
    .filter((name) => !planted.has(name) && !withoutWords.some((pattern) => pattern.test(name)));
  expect(unknown).toEqual([]);

  const output = { isTTY: false, write: () => true };
  const code = await run(["accounts", "erase", accountId, "--yes"], {
    environment: { DATABASE_URL: url, STORAGE_URL: pathToFileURL(directory).href },
    stdout: output,
    stderr: output,
    onInterruption: () => new AbortController().signal,
  });
  expect(code).toBe(0);
  const privacy = await readFile(new URL("../../../docs/privacy.md", import.meta.url), "utf8");
  const [, listed = ""] =
    /Words of an erased account stay in ([^.]*[.][^.]*) only/.exec(privacy) ?? [];
  const kept = Array.from(listed.matchAll(/`([a-z_]+[.][a-z_]+)`/g), ([, name]) => name);
  expect(kept.length).toBeGreaterThan(0);
  expect(await findWord(database, word)).toEqual(kept);
});
