import { readFile } from "node:fs/promises";
import {
  createAccount,
  createKey,
  findCallerOfKey,
  lockAccount,
  makeSecretKey,
  manage,
  mintKey,
  type Caller,
} from "@atelier/accounts";
import { createDatabase, newId, type Database } from "@atelier/database";
import { assertFewWebhooks, createReceiver, createWebhook } from "@atelier/events";
import { acceptGeneration } from "@atelier/generations/accept";
import { createBatch } from "@atelier/generations/batches";
import { assertFewMembers } from "@atelier/generations/cast";
import {
  assertRoomToKeep,
  changeNote,
  createCollection,
  createShares,
} from "@atelier/generations/library";
import { reserveUpload } from "@atelier/generations/uploads";
import { atPrice, makeImagePlan } from "@atelier/generations/testing";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { quotaOf, quotas, settingQuotas, type KeyMode } from "@atelier/schemas";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { createEventStreams, type EventStreams } from "./events/event-streams.ts";
import { presets } from "./routes/presets.ts";

const pepper = "a secret that is only for tests and long enough";

/** The amount that a setting names. */
const setting = 10;

/** An account with a key of each mode, and another one of each mode that owns what fills a quota. */
interface Tenant {
  readonly accountId: string;
  readonly keys: Readonly<Record<KeyMode, string>>;
  readonly fillers: Readonly<Record<KeyMode, string>>;
}

let testDatabase: TestDatabase;
let database: Database;
let streams: EventStreams;

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 5, applicationName: "test" });
});

afterEach(async () => {
  await streams?.close();
});

afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

async function createTenant(): Promise<Tenant> {
  const accountId = await createAccount(database, { name: "test" });
  const make = async (mode: KeyMode) =>
    (await createKey(database, { accountId, name: "test", pepper, mode })).id;
  const keys = { live: await make("live"), test: await make("test") };
  return { accountId, keys, fillers: { live: await make("live"), test: await make("test") } };
}

/** A caller with a session, whose rights are read again under the lock of the account. */
async function callerOf({ accountId, keys }: Tenant, mode: KeyMode): Promise<Caller> {
  const sessionId = newId();
  await database.query(
    `INSERT INTO studio_session (id, account_id, key_id, expires_at) VALUES ($1, $2, $3, now() + interval '1 hour')`,
    [sessionId, accountId, keys[mode]],
  );
  const caller = await findCallerOfKey(database, keys[mode]);
  if (caller === null) throw new Error("the key is valid");
  return { ...caller, secretHashes: null, sessionId };
}

/** Inserts finished jobs of a mode, and returns their ids. */
async function insertJobs({ accountId, fillers }: Tenant, mode: KeyMode, count: number) {
  const rows = await database.query<{ id: string }>(
    `INSERT INTO generation (id, account_id, key_id, mode, kind, status, model, request, strictness,
                             price_micro_eur, renders_total, deadline_at, completed_at)
     SELECT uuidv7(), $1, $2, $3, 'image', 'completed', 'model', '{}', 'normal', 0, 1, now(), now()
       FROM generate_series(1, $4) RETURNING id`,
    [accountId, fillers[mode], mode, count],
  );
  return rows.map(({ id }) => id);
}

interface Case {
  /** Uses up the quota of a mode, with things of the filling key. */
  readonly fill: (tenant: Tenant, mode: KeyMode, count: number) => Promise<unknown>;
  /** Adds one more with the key of a mode. */
  readonly add: (tenant: Tenant, mode: KeyMode) => unknown;
  /** Frees what fills the quota of a mode. */
  readonly free: (tenant: Tenant, mode: KeyMode) => unknown;
}

const endFiller = ({ fillers }: Tenant, mode: KeyMode) =>
  database.query("UPDATE api_key SET revoked_at = now() WHERE id = $1", [fillers[mode]]);

const fillNotes = async (tenant: Tenant, mode: KeyMode, count: number, note: string) =>
  database.query(
    `INSERT INTO job_note (account_id, generation_id, starred, book)
     SELECT $1, id, ${note} FROM unnest($2::uuid[]) AS id`,
    [tenant.accountId, await insertJobs(tenant, mode, count)],
  );

async function addNote(tenant: Tenant, mode: KeyMode, note: Parameters<typeof changeNote>[3]) {
  const [generationId = ""] = await insertJobs(tenant, mode, 1);
  const owner = { accountId: tenant.accountId };
  await changeNote(
    database,
    await callerOf(tenant, mode),
    { owner, generationId, quotaBytes: 0 },
    note,
  );
}

const freeAll =
  (table: string) =>
  ({ accountId }: Tenant) =>
    database.query(`DELETE FROM ${table} WHERE account_id = $1`, [accountId]);

const cases: Readonly<Record<keyof typeof quotas | keyof typeof settingQuotas, Case>> = {
  keys: {
    fill: ({ accountId, fillers }, mode, count) =>
      // The account has two keys of each mode.
      database.query(
        `INSERT INTO api_key (id, account_id, parent_id, mode, name, hash, last_four)
         SELECT uuidv7(), $1, $2, $3, 'test', sha256(uuidv7()::text::bytea), 'test' FROM generate_series(1, $4)`,
        [accountId, fillers[mode], mode, count - 2],
      ),
    add: async (tenant, mode) =>
      manage(database, await callerOf(tenant, mode), (managing) =>
        mintKey(managing, makeSecretKey(pepper, mode), { name: "more" }),
      ),
    free: endFiller,
  },
  webhooks: {
    fill: ({ accountId, fillers }, mode, count) =>
      database.query(
        `INSERT INTO webhook (id, account_id, key_id, url, events, secret)
         SELECT uuidv7(), $1, $2, 'https://example.com/' || path, '{}', '' FROM generate_series(1, $3) AS path`,
        [accountId, fillers[mode], count],
      ),
    add: ({ accountId, keys }, mode) =>
      database.transaction(async (sql) => {
        await lockAccount(sql, accountId);
        const settings = { url: "https://example.com/", events: [], description: null, pepper };
        await createWebhook(sql, { ...settings, accountId, mode, keyId: keys[mode] });
        await assertFewWebhooks(sql, { accountId, mode });
      }),
    free: endFiller,
  },
  webhookUrls: {
    fill: ({ accountId, fillers }, mode, count) =>
      database.query(
        `INSERT INTO webhook (id, account_id, key_id, url, events, secret, requested_at)
         SELECT uuidv7(), $1, $2, 'https://example.com/' || path, '{}', '', now() FROM generate_series(1, $3) AS path`,
        [accountId, fillers[mode], count],
      ),
    add: ({ accountId, keys }, mode) =>
      database.transaction(async (sql) => {
        await lockAccount(sql, accountId);
        const url = `https://example.net/${mode}`;
        await createReceiver(sql, { id: newId(), accountId, keyId: keys[mode], url });
      }),
    free: endFiller,
  },
  batches: {
    fill: ({ accountId, fillers }, mode, count) =>
      database.query(
        `INSERT INTO batch (id, account_id, key_id, lines_total, expires_at)
         SELECT uuidv7(), $1, $2, 1, now() FROM generate_series(1, $3)`,
        [accountId, fillers[mode], count],
      ),
    add: ({ accountId, keys }, mode) =>
      database.transaction((sql) =>
        createBatch(sql, {
          id: newId(),
          accountId,
          keyId: keys[mode],
          linesTotal: 1,
          acceptForMs: 1_000,
          idempotency: null,
          webhook: null,
        }),
      ),
    free: ({ fillers }, mode) =>
      database.query(
        "UPDATE batch SET completed_at = now(), status = 'completed' WHERE key_id = $1",
        [fillers[mode]],
      ),
  },
  members: {
    fill: ({ accountId, fillers }, mode, count) =>
      database.query(
        `INSERT INTO cast_member (id, account_id, key_id, mode, kind, name, description, looks)
         SELECT uuidv7(), $1, $2, $3, 'character', 'Mira', '', '[]' FROM generate_series(1, $4)`,
        [accountId, fillers[mode], mode, count],
      ),
    add: ({ accountId }, mode) => assertFewMembers(database, { accountId, mode }),
    free: freeAll("cast_member"),
  },
  collections: {
    fill: ({ accountId }, mode, count) =>
      database.query(
        `INSERT INTO collection (id, account_id, mode, name)
         SELECT uuidv7(), $1, $2, name::text FROM generate_series(1, $3) AS name`,
        [accountId, mode, count],
      ),
    add: async (tenant, mode) => createCollection(database, await callerOf(tenant, mode), "more"),
    free: freeAll("collection"),
  },
  presets: {
    fill: ({ accountId }, mode, count) =>
      database.query(
        `INSERT INTO preset (id, account_id, mode, name, operation, request)
         SELECT uuidv7(), $1, $2, name::text, 'image', '{}' FROM generate_series(1, $3) AS name`,
        [accountId, mode, count],
      ),
    add: async (tenant, mode) =>
      presets.save(database, await callerOf(tenant, mode), {
        name: "more",
        operation: "image",
        request: {},
      }),
    free: freeAll("preset"),
  },
  shares: {
    fill: ({ accountId, fillers }, mode, count) =>
      database.query(
        `INSERT INTO share (id, account_id, key_id, mode, generation_id, hash, expires_at)
         SELECT uuidv7(), $1, $2, $3, uuidv7(), sha256(uuidv7()::text::bytea), now() FROM generate_series(1, $4)`,
        [accountId, fillers[mode], mode, count],
      ),
    add: ({ accountId }, mode) => createShares(0).assertRoom(database, { accountId, mode }),
    free: freeAll("share"),
  },
  starred: {
    fill: (tenant, mode, count) => fillNotes(tenant, mode, count, "true, NULL"),
    add: (tenant, mode) => addNote(tenant, mode, { starred: true }),
    free: freeAll("job_note"),
  },
  books: {
    fill: (tenant, mode, count) => fillNotes(tenant, mode, count, "false, '{}'::jsonb"),
    add: (tenant, mode) => addNote(tenant, mode, { book: {} }),
    free: freeAll("job_note"),
  },
  jobs: {
    async fill(tenant, mode, count) {
      const ids = await insertJobs(tenant, mode, count);
      await database.query(
        "UPDATE generation SET status = 'pending', completed_at = NULL WHERE id = ANY ($1)",
        [ids],
      );
      await database.query("UPDATE account SET unfinished_jobs = $2 WHERE id = $1", [
        tenant.accountId,
        count,
      ]);
    },
    add: async (tenant, mode) => {
      const plan = { ...makeImagePlan({ model: "m", lane: "l" }), mode, price: atPrice(0n) };
      const request = { ...(await callerOf(tenant, mode)), plan, deadlineMs: 1_000 };
      await acceptGeneration(database, {
        ...request,
        maxUnfinishedJobs: setting,
        maxTestImages: 100,
        idempotency: null,
      });
    },
    free: ({ accountId }) =>
      database.query(
        `WITH ended AS (UPDATE generation SET status = 'completed', completed_at = now() WHERE account_id = $1)
         UPDATE account SET unfinished_jobs = 0 WHERE id = $1`,
        [accountId],
      ),
  },
  streams: {
    fill: async (tenant, mode, count) => {
      for (let open = 0; open < count; open++) openStream(tenant, mode);
    },
    add: openStream,
    free: () => streams.release(),
  },
  uploadedBytes: {
    fill: ({ accountId, fillers }, mode, count) =>
      database.query(
        `INSERT INTO upload (id, account_id, key_id, size_bytes, expires_at)
         VALUES (uuidv7(), $1, $2, $3, now() + interval '1 hour')`,
        [accountId, fillers[mode], count * 1_000_000],
      ),
    add: ({ accountId, keys }, mode) =>
      reserveUpload(database, {
        id: newId(),
        accountId,
        keyId: keys[mode],
        mode,
        sizeBytes: 1,
        quotaBytes: setting * 1_000_000,
      }),
    free: freeAll("upload"),
  },
  keptBytes: {
    async fill(tenant, mode, count) {
      const [job] = await insertJobs(tenant, mode, 1);
      await database.query(
        `WITH counted AS (UPDATE account SET kept_bytes = $3 WHERE id = $1)
         INSERT INTO kept_item (id, account_id, kind, status, size_bytes) VALUES ($2, $1, 'job', 'kept', $3)`,
        [tenant.accountId, job, count],
      );
    },
    add: ({ accountId }, mode) =>
      assertRoomToKeep(database, { accountId, mode, quotaBytes: setting }),
    free: ({ accountId }) =>
      database.query(
        `WITH removed AS (DELETE FROM kept_item WHERE account_id = $1)
         UPDATE account SET kept_bytes = 0 WHERE id = $1`,
        [accountId],
      ),
  },
};

function openStream({ accountId, keys }: Tenant, mode: KeyMode): void {
  const right = { keyId: keys[mode], secretHashes: null, sessionId: null, needsRead: true };
  streams.open({ accountId, keyId: null, mode, quotaMode: mode, right, generationId: null });
}

function openStreams(): void {
  streams = createEventStreams(database, {
    maxStreams: 100,
    maxStreamsPerAccount: setting,
    heartbeatMs: 60_000,
    studioHeartbeatMs: 60_000,
    sign: () => expect.unreachable(),
    onCount: () => undefined,
    onError: (error) => expect.unreachable(String(error)),
  });
}

const all = { ...quotas, ...settingQuotas };
const names = Object.keys(cases) as readonly (keyof typeof cases)[];

describe.each(names)("the quota %s", (name) => {
  const { fill, add, free } = cases[name];
  const quota = all[name];
  const refusal = expect.objectContaining({ code: quota.error });
  const amountOf = (mode: KeyMode) => ("setting" in quota ? quotaOf(mode, setting) : quota[mode]);
  const isShared = "isShared" in quota;

  it.each(["live", "test"] as const)("counts things of %s keys apart", async (mode) => {
    openStreams();
    const tenant = await createTenant();
    const other = mode === "live" ? "test" : "live";
    await fill(tenant, mode, amountOf(mode));
    await expect(async () => add(tenant, mode)).rejects.toEqual(refusal);
    if (amountOf(mode) === 0) return;
    if ((isShared && mode === "live") || amountOf(other) === 0)
      await expect(async () => add(tenant, other)).rejects.toEqual(refusal);
    else await add(tenant, other);
    await free(tenant, mode);
    if (name === "streams") openStreams();
    await add(tenant, mode);
  });
});

it("docs/keys.md shows all quotas", async () => {
  const rows = Object.values(all).map((quota) => {
    const { of, freedBy, error } = quota;
    const amounts =
      "setting" in quota
        ? `\`${quota.setting}\` | ${"isShared" in quota ? "a fifth of these" : "another fifth"}`
        : `${quota.live.toLocaleString("en")} | another ${quota.test.toLocaleString("en")}`;
    return `${of} | ${amounts} | ${freedBy} | \`${error}\``;
  });
  const page = await readFile(new URL("../../../docs/keys.md", import.meta.url), "utf8");
  const shown = page.replaceAll(/ +/g, " ");
  for (const row of rows) expect(shown).toContain(`| ${row} |`);
});
