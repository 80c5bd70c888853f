import { gunzipSync } from "node:zlib";
import { auditDatabase } from "@atelier/audit";
import { topUp } from "@atelier/billing";
import { newId } from "@atelier/database";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findGeneration, findGenerations } from "../find.ts";
import { finishRender } from "../finish.ts";
import { idAt } from "../id-range.ts";
import { listGenerations, searchGenerations } from "../list.ts";
import { recordIntent } from "../provider-calls.ts";
import { redactAccountPage, redactOldGenerations } from "../redact.ts";
import { answer, decision, openFixture, type Fixture } from "../testing/fixture.ts";
import { partitionSince } from "../testing/partition-since.ts";
import { archivePartition, readArchived, type ArchiveStorage } from "./archive-partition.ts";
import { createPartitions } from "./create-partitions.ts";
import { detachPartition } from "./detach-partition.ts";
import { partitionedTables, readPartitions } from "./partitioned-tables.ts";

const dayMs = 86_400_000;

let fixture: Fixture;
let accountId: string;

beforeEach(async () => {
  fixture = await openFixture();
  await partitionSince(fixture.database, monthStart(-5));
  accountId = await fixture.makeAccount(0n);
  await topUp(fixture.database, { accountId, amountMicroEur: 10_000_000n, reference: "test" });
  await fixture.database.query(
    "UPDATE api_key SET created_at = now() - interval '1 year', spent_since = now() - interval '1 year'",
  );
});

afterEach(() => fixture.close());

/** The start of a month, so many after the current one. */
function monthStart(later: number): number {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + later);
}

function nameOf(later: number): string {
  return new Date(monthStart(later)).toISOString().slice(0, 7).replace("-", "");
}

/** Makes a job with an image, and gives its rows the ids and times of another day. */
async function makeJob(madeAt: number, renderMadeAt = madeAt, on = accountId): Promise<string> {
  const { database } = fixture;
  const { generationId, renders } = await fixture.accept({ accountId: on });
  const claim = await fixture.claim(renders[0]);
  const callId = await recordIntent(database, claim, decision);
  await finishRender(
    database,
    claim,
    (["png", "jpeg", "webp"] as const).map((format) => ({
      format,
      storageKey: `renders/${claim.renderId}/1.${format}`,
      sha256: newId().replaceAll("-", "").repeat(2),
      sizeBytes: 1,
      width: 1,
      height: 1,
      flattened: false,
      manifestId: null,
    })),
    { ...answer, callId: callId ?? "" },
  );
  const id = newId(madeAt);
  const renderId = newId(renderMadeAt);
  await database.transaction(async (sql) => {
    await sql.query("SET LOCAL session_replication_role = replica");
    const shift = `now() - to_timestamp(${madeAt / 1_000})`;
    await sql.query(
      `UPDATE generation SET id = $2, created_at = created_at - (${shift}), completed_at = completed_at - (${shift}),
              started_at = started_at - (${shift}) WHERE id = $1`,
      [generationId, id],
    );
    for (const table of ["hold", "ledger_transfer", "generation_search", "idempotency_key"]) {
      await sql.query(`UPDATE ${table} SET generation_id = $2 WHERE generation_id = $1`, [
        generationId,
        id,
      ]);
    }
    await sql.query("UPDATE render SET id = $2, generation_id = $3 WHERE id = $1", [
      claim.renderId,
      renderId,
      id,
    ]);
    await sql.query(
      "UPDATE moderation_decision SET render_id = $2, generation_id = $3 WHERE render_id = $1",
      [claim.renderId, renderId, id],
    );
    await sql.query("UPDATE provider_call SET id = $2, render_id = $3 WHERE render_id = $1", [
      claim.renderId,
      newId(renderMadeAt),
      renderId,
    ]);
    // Events are kept for a day.
    await sql.query("DELETE FROM event");
    for (const table of ["image", "mark", "mark_file"]) {
      await sql.query(`UPDATE ${table} SET render_id = $2 WHERE render_id = $1`, [
        claim.renderId,
        renderId,
      ]);
    }
  });
  return id;
}

/** Removes the images and texts of all jobs, as sweeps do after their retention. */
async function expireAll(): Promise<void> {
  const { database } = fixture;
  await database.query("UPDATE image SET deleted_at = now(), removed_at = now()");
  await redactOldGenerations(database, { olderThanMs: dayMs, after: null, limit: 100 });
}

async function expectIntact(): Promise<void> {
  const findings = await auditDatabase(fixture.database);
  expect(findings.filter(({ violations }) => violations > 0)).toEqual([]);
}

function memoryStorage() {
  const files = new Map<string, Uint8Array>();
  const storage: ArchiveStorage = {
    async put(key, bytes) {
      files.set(key, bytes);
    },
    async get(key) {
      const bytes = files.get(key);
      return bytes === undefined ? null : { bytes };
    },
  };
  const idsOf = (table: string) =>
    [...files]
      .filter(([key]) => key.includes(`/${table}-`))
      .flatMap(([, bytes]) =>
        gunzipSync(bytes)
          .toString()
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Record<string, string>),
      );
  return { files, storage, idsOf };
}

describe("months", () => {
  it("exist up to three months ahead, without a gap, and are created once", async () => {
    const partitions = await readPartitions(fixture.database);
    expect(partitions.map(({ name }) => name)).toEqual([
      "first",
      ...[-5, -4, -3, -2, -1, 0, 1, 2, 3].map(nameOf),
    ]);
    partitions
      .slice(1)
      .forEach(({ fromId }, index) => expect(fromId).toBe(partitions[index]?.toId));
    expect(await createPartitions(fixture.database)).toEqual([]);
  });

  it("take over rows that were written before they existed", async () => {
    const { database } = fixture;
    for (const { name } of partitionedTables) {
      await database.query(`DROP TABLE ${name}_${nameOf(3)}`);
    }
    const early = newId(monthStart(3) + dayMs);
    await database.query(
      `INSERT INTO generation (id, account_id, kind, status, model, request, strictness, price_micro_eur, renders_total, deadline_at, completed_at)
       VALUES ($1, $2, 'image', 'failed', 'm', '{}', 'normal', 0, 1, now(), now())`,
      [early, accountId],
    );
    expect(await database.query(`SELECT id FROM generation_rest`)).toEqual([{ id: early }]);
    expect(await createPartitions(database)).toEqual([nameOf(3)]);
    expect(await database.query(`SELECT id FROM generation_${nameOf(3)}`)).toEqual([{ id: early }]);
  });
});

describe("jobs of several months", () => {
  it("are read, listed, searched and redacted as one table, and hold all invariants", async () => {
    const { database } = fixture;
    const ids: string[] = [];
    for (const month of [-4, -3, -1, 0]) ids.unshift(await makeJob(monthStart(month) + 1_000));
    const page = { accountId, beforeId: null, limit: 2 };
    const first = await listGenerations(database, page);
    expect(first.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    const rest = await listGenerations(database, { ...page, beforeId: ids[1] ?? null });
    expect(rest.map(({ id }) => id)).toEqual(ids.slice(2));
    const found = await searchGenerations(database, { ...page, limit: 10, model: "test-model" });
    expect(found.map(({ id }) => id)).toEqual(ids);
    for (const id of ids) {
      const one = await findGeneration(database, { accountId, generationId: id });
      expect(one?.renders[0]?.images).toHaveLength(3);
    }
    expect((await findGenerations(database, ids)).size).toBe(4);
    await expectIntact();
    const redacted = await redactAccountPage(database, { accountId, after: null, limit: 10 });
    expect(redacted).toMatchObject({ jobs: 4, next: null });
    expect(redacted.renderIds).toHaveLength(4);
    await expectIntact();
  });

  it("are read by id from one partition of each table", async () => {
    const { database } = fixture;
    const id = await makeJob(monthStart(-3) + 10 * dayMs);
    const plans: string[] = [];
    await findGeneration(
      {
        async query(text, values) {
          const lines = await database.query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, values);
          plans.push(...lines.map((line) => line["QUERY PLAN"]));
          return [];
        },
      },
      { accountId, generationId: id },
    );
    const tables = plans.flatMap(
      (line) => /on ((?:generation|render|image)_\w+)/.exec(line)?.[1] ?? [],
    );
    expect(new Set(tables)).toEqual(
      new Set(["generation", "render", "image"].map((table) => `${table}_${nameOf(-3)}`)),
    );
  });
});

describe("the archive of a month", () => {
  it("has all rows of its jobs and of no other, and clients are told what happened", async () => {
    const { database } = fixture;
    const archived = await makeJob(monthStart(-4) + 1_000);
    // Its render was written a moment later, in the next month.
    const late = await makeJob(monthStart(-3) - 1, monthStart(-3) + 1);
    const younger = await makeJob(monthStart(-3) + 1_000);
    const starred = await makeJob(monthStart(-4) + 2_000);
    await database.query(
      "INSERT INTO job_note (account_id, generation_id, starred) VALUES ($1, $2, true)",
      [accountId, starred],
    );
    await expireAll();
    const { storage, idsOf } = memoryStorage();
    await archivePartition(database, storage, nameOf(-4));
    expect(idsOf("generation").map(({ id }) => id)).toEqual([archived, late].sort());
    expect(
      idsOf("render")
        .map(({ generation_id: id }) => String(id))
        .sort(),
    ).toEqual([archived, late].sort());
    expect(idsOf("image")).toHaveLength(6);
    for (const table of ["provider_call", "moderation_decision"]) {
      expect(idsOf(table)).toHaveLength(2);
    }
    const left = await listGenerations(database, { accountId, beforeId: null, limit: 10 });
    expect(left.map(({ id }) => id)).toEqual([younger, starred]);
    expect(left.every(({ renders }) => renders[0]?.images.length === 3)).toBe(true);
    await expect(findGeneration(database, { accountId, generationId: archived })).rejects.toThrow(
      /This job was archived at .* Ask the operator/,
    );
    expect(
      await findGeneration(database, {
        accountId: await fixture.makeAccount(0n),
        generationId: archived,
      }),
    ).toBeNull();
    expect(await readArchived(database)).toMatchObject([
      { name: nameOf(-4), droppedAt: expect.any(Date) },
    ]);
    await expectIntact();
  });

  it("loses and doubles nothing when it is killed at any step and runs again", async () => {
    const { database } = fixture;
    const ids = [await makeJob(monthStart(-4) + 1_000), await makeJob(monthStart(-4) + 2_000)];
    await expireAll();
    const { storage, idsOf, files } = memoryStorage();
    for (let step = 1; ; step++) {
      let calls = 0;
      const failing: ArchiveStorage = {
        async put(key, bytes, options) {
          if (++calls === step) throw new Error("killed");
          await storage.put(key, bytes, options);
        },
        async get(key) {
          if (++calls === step) throw new Error("killed");
          return storage.get(key);
        },
      };
      const failure = await archivePartition(database, failing, nameOf(-4)).catch(String);
      await expectIntact();
      if (failure !== "Error: killed") break;
    }
    expect(idsOf("generation").map(({ id }) => id)).toEqual(ids);
    expect(files.size).toBe(partitionedTables.length + 1);
    const again = await archivePartition(database, storage, nameOf(-4));
    expect(again).toHaveLength(partitionedTables.length);
  });

  it("is not trusted when the storage has other bytes: the tables stay", async () => {
    const { database } = fixture;
    await makeJob(monthStart(-4) + 1_000);
    await expireAll();
    const { storage, files } = memoryStorage();
    const lossy: ArchiveStorage = {
      ...storage,
      async get(key) {
        const [other] = [...files.values()].toReversed().slice(1);
        return key.includes("generation-") && other !== undefined
          ? { bytes: other }
          : storage.get(key);
      },
    };
    await expect(archivePartition(database, lossy, nameOf(-4))).rejects.toThrow(
      "is not what was written",
    );
    expect(await database.query(`SELECT FROM generation_${nameOf(-4)}`)).toHaveLength(1);
    await archivePartition(database, storage, nameOf(-4));
    await expectIntact();
  });

  it("is refused for a young month, for an unknown one, and while jobs have requests or files", async () => {
    const { database } = fixture;
    await makeJob(monthStart(-4) + 1_000);
    await expect(detachPartition(database, nameOf(0))).rejects.toThrow(
      "ended less than 31 days ago",
    );
    await expect(detachPartition(database, "202001")).rejects.toThrow(
      'There is no partition "202001"',
    );
    await expect(detachPartition(database, nameOf(-4))).rejects.toThrow(
      "1 have their request (set JOB_RETENTION_DAYS), 1 have image files",
    );
  });

  it("waits for a transaction that reads the table, and lets others pass meanwhile", async () => {
    const { database } = fixture;
    await makeJob(monthStart(-4) + 1_000);
    await expireAll();
    let isDetached = false;
    let slowestMs = 0;
    const detaching = await database.transaction(async (sql) => {
      await sql.query("SELECT FROM generation");
      const detached = detachPartition(database, nameOf(-4)).finally(() => (isDetached = true));
      const startedAt = performance.now();
      while (performance.now() - startedAt < 2_000) {
        const from = performance.now();
        await database.query("SELECT FROM render WHERE id = $1", [idAt(monthStart(-1))]);
        slowestMs = Math.max(slowestMs, performance.now() - from);
      }
      expect(isDetached).toBe(false);
      return { detached };
    });
    expect(await detaching.detached).toBe(true);
    expect(slowestMs).toBeLessThan(1_000);
  });
});
