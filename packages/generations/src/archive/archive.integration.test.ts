import { beginErasure } from "@atelier/accounts";
import { auditDatabase, auditFiles, fileChecks, type AuditedStorage } from "@atelier/audit";
import { readUsage, setKeyBudget, topUp } from "@atelier/billing";
import { newId, type Database, type Sql } from "@atelier/database";
import { gunzipSync } from "node:zlib";
import { archivePrefix } from "@atelier/schemas";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readTakenLines } from "../batches/batch-results.ts";
import { createBatch, findBatch } from "../batches/batches.ts";
import { chooseScene } from "../jobs/chosen-scenes.ts";
import { findGeneration } from "../jobs/find.ts";
import { finishRender } from "../endings/finish.ts";
import { eraseAccount, isFullyErased } from "../erase/erase-account.ts";
import type { ErasureStorage } from "../erase/erasure-records.ts";
import { listGenerations } from "../jobs/list.ts";
import { changeNote } from "../library/change-note.ts";
import { recordIntent } from "../claims/provider-calls.ts";
import { redactJobs, redactOldGenerations } from "../retention/redact.ts";
import { ageJob } from "../testing/age-job.ts";
import { answer, decision, imagesOf, openFixture, type Fixture } from "../testing/fixture.ts";
import type { ArchiveStorage } from "./archive-file.ts";
import { archiveJobs } from "./archive-jobs.ts";
import { withArchiveLease } from "./archive-lease.ts";
import { discardPart, readParts, type ArchivePart } from "./archive-parts.ts";
import { eraseArchived, findArchivedJob, readArchivedJobs } from "./archived-account.ts";
import { assertNotArchived } from "./archived-jobs.ts";
import { deleteJobRows } from "./archived-tables.ts";
import { createExportedJobs } from "./exported-jobs.ts";

let fixture: Fixture;
let accountId: string;

beforeEach(async () => {
  fixture = await openFixture();
  accountId = await makeAccount();
});

afterEach(() => fixture.close());

async function makeAccount(): Promise<string> {
  const id = await fixture.makeAccount(0n);
  await topUp(fixture.database, { accountId: id, amountMicroEur: 10_000_000n, reference: id });
  await fixture.database.query(
    `UPDATE api_key SET created_at = now() - interval '1 year',
            spent_since = date_trunc('day', now() - interval '1 year', 'UTC') WHERE id = $1`,
    [id],
  );
  return id;
}

/** The start of a month, so many after the current one. */
function monthStart(later: number): number {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + later);
}

function nameOf(later: number): string {
  return new Date(monthStart(later)).toISOString().slice(0, 7);
}

/** Before it are all jobs that these tests archive. */
const before = nameOf(-2);

/** Makes a completed job without files, and gives its rows the ids and times of another day. */
async function makeJob(madeAt: number, on = accountId): Promise<string> {
  const { database } = fixture;
  const { generationId, renders } = await fixture.accept({ accountId: on });
  const claim = await fixture.claim(renders[0]);
  const callId = await recordIntent(database, claim, decision);
  const images = imagesOf(claim).map((image) => ({
    ...image,
    sha256: newId().replaceAll("-", "").repeat(2),
  }));
  await finishRender(database, claim, images, { ...answer, callId: callId ?? "" });
  return ageJob(database, generationId, madeAt);
}

/** Removes the texts of all jobs, as sweeps do after their retention. */
function redactAll(): Promise<unknown> {
  return redactOldGenerations(fixture.database, { olderThanMs: 1, after: null, limit: 100 });
}

function memoryStorage() {
  /** Those of the archive. */
  const files = new Map<string, Uint8Array>();
  const others = new Map<string, Uint8Array>();
  const filesOf = (key: string) => (key.startsWith(archivePrefix) ? files : others);
  const storage: ErasureStorage & AuditedStorage = {
    async put(key, bytes) {
      filesOf(key).set(key, bytes);
    },
    async get(key) {
      const bytes = filesOf(key).get(key);
      return bytes === undefined ? null : { bytes };
    },
    async delete(keys) {
      for (const key of keys) filesOf(key).delete(key);
      return [];
    },
    async *list(prefix) {
      const keys = [...filesOf(prefix).keys()].filter((key) => key.startsWith(prefix));
      for (const key of keys.toSorted((one, other) => (one < other ? -1 : 1)))
        yield { key, sizeBytes: filesOf(key).get(key)?.length ?? 0 };
    },
  };
  /** The archived rows of a table. */
  const rowsOf = (table: string) =>
    [...files.values()].flatMap((bytes) =>
      gunzipSync(bytes)
        .toString()
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { table: string; row: Record<string, unknown> })
        .filter((line) => line.table === table)
        .map(({ row }) => row),
    );
  const idsOf = () => rowsOf("generation").map(({ id }) => String(id));
  return { files, storage, rowsOf, idsOf };
}

type Memory = ReturnType<typeof memoryStorage>;

/** The violated invariants of the tables and of the files in the archive. */
async function findViolated({ storage }: Memory): Promise<string[]> {
  const findings = [
    ...(await auditDatabase(fixture.database)),
    ...(await auditFiles(fixture.database, storage, 1)),
  ];
  return findings.filter(({ violations }) => violations > 0).map(({ invariant }) => invariant);
}

async function expectIntact(memory: Memory): Promise<void> {
  expect(await findViolated(memory)).toEqual([]);
}

async function listIds(): Promise<string[]> {
  const jobs = await listGenerations(fixture.database, { accountId, beforeId: null, limit: 100 });
  return jobs.map(({ id }) => id);
}

/** Small parts and transactions, so that few jobs are several of them. */
const limits = { partSize: 20_000, pageJobs: 2, batchRows: 20 };

function archive(
  memory: { readonly storage: ArchiveStorage },
  database: Pick<Database, "query" | "transaction"> = fixture.database,
) {
  return archiveJobs({ database, storage: memory.storage }, { before, withTexts: true, limits });
}

describe("the archive", () => {
  it("has all rows of old jobs and of no other, month by month, and the ledger stays", async () => {
    const { database } = fixture;
    const old = [
      await makeJob(monthStart(-5) + 1_000),
      await makeJob(monthStart(-4) + 1_000),
      await makeJob(monthStart(-4) + 2_000),
    ];
    const young = await makeJob(monthStart(-2) + 1_000);
    const count = () => database.query("SELECT count(*), sum(amount_micro_eur) FROM ledger_entry");
    const ledger = await count();
    const memory = memoryStorage();
    expect(await archive(memory)).toEqual({ parts: 2, jobs: 3, staying: {} });
    expect(memory.idsOf()).toEqual(old);
    expect(memory.rowsOf("generation").map(({ result }) => result)).toEqual([null, null, null]);
    expect(memory.rowsOf("image")).toHaveLength(12);
    for (const table of ["render", "provider_call", "moderation_decision", "generation_search"]) {
      expect(memory.rowsOf(table)).toHaveLength(3);
      expect(await database.query(`SELECT FROM ${table}`)).toHaveLength(1);
    }
    expect(await listIds()).toEqual([young]);
    expect((await readParts(database)).map(({ month, jobs }) => [month, jobs])).toEqual([
      [nameOf(-5), 1],
      [nameOf(-4), 2],
    ]);
    expect([...memory.files.keys()][0]).toMatch(
      new RegExp(`^archived/${nameOf(-5)}/[0-9a-f-]{36}[.]jsonl[.]gz$`),
    );
    expect(await count()).toEqual(ledger);
    await expectIntact(memory);
    expect(await archive(memory)).toEqual({ parts: 0, jobs: 0, staying: {} });
  });

  it("leaves jobs in the tables that are used, have texts or files, or are recent, and counts them", async () => {
    const { database } = fixture;
    const at = monthStart(-4) + 1_000;
    const starred = await makeJob(at);
    await database.query(
      "INSERT INTO job_note (account_id, generation_id, starred) VALUES ($1, $2, true)",
      [accountId, starred],
    );
    const collected = await makeJob(at);
    await database.query(
      `WITH made AS (INSERT INTO collection (id, account_id, mode, name, job_count)
         VALUES (uuidv7(), $1, 'live', 'Covers', 1) RETURNING id)
       INSERT INTO collection_job SELECT id, $2 FROM made`,
      [accountId, collected],
    );
    await redactAll();
    const withFile = await makeJob(at);
    await database.query(
      "UPDATE image SET removed_at = NULL WHERE format = 'png' AND render_id IN (SELECT id FROM render WHERE generation_id = $1)",
      [withFile],
    );
    const withAttempts = await makeJob(at);
    await database.query("UPDATE render SET attempt = 2 WHERE generation_id = $1", [withAttempts]);
    const withTexts = await makeJob(at);
    const late = await makeJob(at);
    await database.query("UPDATE generation SET completed_at = now() WHERE id = $1", [late]);
    const memory = memoryStorage();
    const options = { before, withTexts: false };
    const result = await archiveJobs({ database, storage: memory.storage }, options);
    expect(result).toEqual({
      parts: 0,
      jobs: 0,
      staying: { used: 2, files: 2, texts: 1, recent: 1 },
    });
    expect(new Set(await listIds())).toEqual(
      new Set([starred, collected, withFile, withAttempts, withTexts, late]),
    );
    expect(memory.files.size).toBe(0);
  });

  it("has jobs of ended batches, whose results say so, and not those of unfinished ones", async () => {
    const { database } = fixture;
    const addBatch = async (job: string, isEnded: boolean) => {
      const id = newId(monthStart(-4) - 1_000);
      await database.transaction((sql) =>
        createBatch(sql, {
          id,
          accountId,
          keyId: accountId,
          linesTotal: 2,
          acceptForMs: 1_000,
          idempotency: null,
          webhook: null,
        }),
      );
      await database.query("UPDATE generation SET batch_id = $2, batch_line = 1 WHERE id = $1", [
        job,
        id,
      ]);
      await database.query(
        `UPDATE batch SET lines_taken = 2, lines_refused = 1, jobs_completed = 1,
                charged_micro_eur = (SELECT charged_micro_eur FROM generation WHERE id = $2),
                status = CASE WHEN $3 THEN 'completed' ELSE 'processing' END::batch_status,
                completed_at = CASE WHEN $3 THEN now() END
          WHERE id = $1`,
        [id, job, isEnded],
      );
      await database.query(
        `INSERT INTO batch_refusal (batch_id, line, error) VALUES ($1, 2, '{"error": "invalid_request"}')`,
        [id],
      );
      return id;
    };
    const ofEnded = await makeJob(monthStart(-4));
    const ofUnfinished = await makeJob(monthStart(-4) + 1_000);
    const ended = await addBatch(ofEnded, true);
    const unfinished = await addBatch(ofUnfinished, false);
    const memory = memoryStorage();
    expect(await archive(memory)).toMatchObject({ jobs: 1, staying: { used: 1 } });
    expect(memory.idsOf()).toEqual([ofEnded]);
    await expectIntact(memory);
    const results = async (batchId: string) => {
      const batch = await findBatch(database, { accountId, batchId });
      if (batch === null) throw new Error("no batch");
      return readTakenLines(database, batch, { afterLine: 0, limit: 100 });
    };
    const refusal = { line: 2, error: { error: "invalid_request" } };
    expect(await results(ended)).toEqual([{ line: 1, isArchived: true }, refusal]);
    expect(await results(unfinished)).toMatchObject([
      { line: 1, generation: { id: ofUnfinished } },
      refusal,
    ]);
  });

  it("refuses months that ended less than 31 days ago", async () => {
    const { database } = fixture;
    const { storage } = memoryStorage();
    const options = { before: nameOf(1), withTexts: true };
    await expect(archiveJobs({ database, storage }, options)).rejects.toThrow(
      /^Jobs are archived 31 days after the end of their month\. The latest month now is \d{4}-\d\d\.$/,
    );
  });

  it("is refused while another process works on it", async () => {
    const memory = memoryStorage();
    await withArchiveLease(fixture.database, async () => {
      await expect(archive(memory)).rejects.toThrow("Another process works on the archive");
    });
    expect(await archive(memory)).toMatchObject({ jobs: 0 });
  });
});

describe("an interrupted run", () => {
  it("loses and doubles nothing, wherever it ends, and the next one finishes it", async () => {
    const { database } = fixture;
    const ids: string[] = [];
    for (let second = 0; second < 4; second++)
      ids.push(await makeJob(monthStart(-4) + second * 1_000));
    const memory = memoryStorage();
    let isDone = false;
    let crashes = 0;
    for (let step = 1; !isDone; step++) {
      let steps = 0;
      // Dies before a step, or after it without learning its result.
      const dying = async <Result>(work: () => Promise<Result>): Promise<Result> => {
        if (++steps === step) throw new Error("killed");
        const result = await work();
        if (++steps === step) throw new Error("killed");
        return result;
      };
      const storage: ArchiveStorage = {
        put: (...of) => dying(() => memory.storage.put(...of)),
        get: (key) => dying(() => memory.storage.get(key)),
        delete: (keys) => dying(() => memory.storage.delete(keys)),
      };
      const dyingDatabase = {
        query: <Row extends object>(text: string, values?: readonly unknown[]) =>
          dying(() => database.query<Row>(text, values)),
        transaction: <Result>(work: Parameters<Database["transaction"]>[0]) =>
          dying(() => database.transaction(work)) as Promise<Result>,
      } as Pick<Database, "query" | "transaction">;
      const options = { before, withTexts: true, limits: { ...limits, partSize: 8_000 } };
      const failure = await archiveJobs({ database: dyingDatabase, storage }, options).catch(
        String,
      );
      isDone = failure !== "Error: killed";
      if (!isDone) crashes++;
      // The lease of a process that was killed expires.
      await database.query("UPDATE recurring_task SET next_turn_at = now()");
      const left = new Set(await listIds());
      const archived = memory.idsOf();
      expect(ids.every((id) => left.has(id) || archived.includes(id))).toBe(true);
      await expectIntact(memory);
    }
    expect(crashes).toBeGreaterThan(20);
    expect(await listIds()).toEqual([]);
    expect(memory.idsOf()).toEqual(ids);
  });

  it.each([
    ["discards its part", discardPart],
    [
      "began to discard its part",
      ({ sql }: { sql: Sql }, { id }: ArchivePart) =>
        sql.query("UPDATE archive_part SET storage_key = NULL WHERE id = $1", [id]),
    ],
  ])("leaves its jobs in the tables when another process %s", async (_case, discard) => {
    const { database } = fixture;
    const id = await makeJob(monthStart(-4));
    const memory = memoryStorage();
    const { storage } = memory;
    const overtaken: Pick<Database, "query" | "transaction"> = {
      query: (...of) => database.query(...of),
      async transaction(work) {
        for (const part of await readParts(database))
          await discard({ sql: database, storage }, part);
        return database.transaction(work);
      },
    };
    await expect(archive(memory, overtaken)).rejects.toThrow("Another process changed the part");
    expect(await listIds()).toEqual([id]);
    expect(await database.query("SELECT FROM archived_usage")).toEqual([]);
  });

  it("archives nothing when the storage returns other bytes than it received", async () => {
    await makeJob(monthStart(-4));
    const memory = memoryStorage();
    const lossy: ArchiveStorage = {
      ...memory.storage,
      get: async (key) => {
        const stored = await memory.storage.get(key);
        return stored === null ? null : { bytes: stored.bytes.subarray(1) };
      },
    };
    await expect(archive({ ...memory, storage: lossy })).rejects.toThrow("is not what was written");
    expect(await listIds()).toHaveLength(1);
    expect(await archive(memory)).toMatchObject({ jobs: 1 });
    await expectIntact(memory);
  });
});

describe("an account that is erased beside the archive", () => {
  /** In all texts of its jobs. */
  const word = "Jane Doe";

  async function makeNamedJobs(count: number): Promise<void> {
    for (let second = 0; second < count; second++) {
      const id = await makeJob(monthStart(-4) + second * 1_000);
      await fixture.database.query(
        "UPDATE generation SET request = $2, metadata = $2, title = $3 WHERE id = $1",
        [id, { prompt: word }, word],
      );
      await fixture.database.query("UPDATE render SET spec = spec || $2 WHERE generation_id = $1", [
        id,
        { prompt: word },
      ]);
    }
  }

  /** @returns whether the erasure says that it is complete. */
  async function erase({ storage }: Memory): Promise<boolean> {
    const result = await eraseAccount(fixture.database, storage, accountId, () => undefined);
    return result.kind === "erased" && isFullyErased(result.erased);
  }

  /** The files of the archive and tables of jobs that have the word. */
  async function findWord({ files }: Memory): Promise<string[]> {
    const found = [...files]
      .filter(([, bytes]) => gunzipSync(bytes).toString().includes(word))
      .map(([key]) => key);
    for (const table of ["generation", "generation_search", "render", "provider_call"]) {
      const rows = await fixture.database.query(
        `SELECT FROM ${table} AS one WHERE one::text ILIKE $1`,
        [`%${word}%`],
      );
      if (rows.length > 0) found.push(table);
    }
    return found;
  }

  it("keeps its jobs in the tables after an interrupted erasure, and the next erasure redacts them", async () => {
    await makeNamedJobs(1);
    const memory = memoryStorage();
    await beginErasure(fixture.database, accountId);
    expect(await archive(memory)).toEqual({ parts: 0, jobs: 0, staying: { erasure: 1 } });
    expect(await erase(memory)).toBe(true);
    expect(await findWord(memory)).toEqual([]);
    await expectIntact(memory);
  });

  it.each([
    ["its erasure begins", "continues"],
    ["it is erased", "continues"],
    ["its erasure begins", "is killed"],
    ["it is erased", "is killed"],
  ])("loses its texts when %s at any step of an archive run that %s", async (erasure, run) => {
    const { database } = fixture;
    const memory = memoryStorage();
    let step = 0;
    for (let isDone = false; !isDone; step++) {
      accountId = await makeAccount();
      await makeNamedJobs(1);
      let steps = 0;
      let isComplete: boolean | null = null;
      const interrupted = async <Result>(work: () => Promise<Result>): Promise<Result> => {
        if (steps++ === step) {
          isComplete = false;
          if (erasure === "it is erased") isComplete = await erase(memory);
          else await beginErasure(database, accountId);
          if (run === "is killed") throw new Error("killed");
        }
        return work();
      };
      const storage: ArchiveStorage = {
        put: (...of) => interrupted(() => memory.storage.put(...of)),
        get: (key) => interrupted(() => memory.storage.get(key)),
        delete: (keys) => interrupted(() => memory.storage.delete(keys)),
      };
      const shared = {
        query: <Row extends object>(text: string, values?: readonly unknown[]) =>
          interrupted(() => database.query<Row>(text, values)),
        transaction: <Result>(work: Parameters<Database["transaction"]>[0]) =>
          interrupted(() => database.transaction(work)) as Promise<Result>,
      } as Pick<Database, "query" | "transaction">;
      // The jobs of earlier steps stay in the tables, in the same page.
      const options = { before, withTexts: true, limits: { ...limits, pageJobs: 100 } };
      await archiveJobs({ database: shared, storage }, options).catch((error: unknown) =>
        expect(String(error)).toBe("Error: killed"),
      );
      isDone = isComplete === null;
      // An erasure that says that it is complete is, whatever the run does later.
      if (isComplete === true) expect(await findWord(memory)).toEqual([]);
      // The lease of a process that was killed expires.
      await database.query("UPDATE recurring_task SET next_turn_at = now()");
      await archive(memory);
      expect(await erase(memory)).toBe(true);
      expect(await findWord(memory)).toEqual([]);
    }
    expect(step).toBeGreaterThan(10);
    await expectIntact(memory);
    await archive(memory);
    expect(await findWord(memory)).toEqual([]);
  });

  it("loses the texts that an earlier version archived without recording the account", async () => {
    await makeNamedJobs(1);
    const memory = memoryStorage();
    await archive(memory);
    await beginErasure(fixture.database, accountId);
    await fixture.database.query("UPDATE archive_part SET account_ids = '{}'");
    expect(await findViolated(memory)).toEqual([fileChecks.archiveAccounts]);
    expect(await erase(memory)).toBe(true);
    expect(await findWord(memory)).toEqual([]);
    await expectIntact(memory);
  });

  it("is found by its id in an intact file, also beside one that is damaged", async () => {
    const job = await makeJob(monthStart(-5));
    const memory = memoryStorage();
    await archive(memory);
    const key = "archive/damaged";
    await fixture.database.query(
      `INSERT INTO archive_part (id, month, first_id, last_id, account_ids, jobs, storage_key, sha256, size_bytes)
       SELECT $1, month, '00000000-0000-0000-0000-000000000000', last_id, '{}', jobs, $2, sha256, size_bytes
         FROM archive_part`,
      [newId(), key],
    );
    const find = (id: string) => findArchivedJob(fixture.database, memory.storage, id);
    expect(await find(job)).toMatchObject({ id: job });
    await expect(find("00000000-0000-0000-0000-000000000001")).rejects.toThrow(key);
  });

  it("loses its texts in all files but one that is damaged, also of a part that another run left open", async () => {
    const other = await makeAccount();
    await makeJob(monthStart(-5), other);
    const memory = memoryStorage();
    await archive(memory);
    const [ofOther = ""] = memory.files.keys();
    await fixture.database.query("UPDATE archive_part SET completed_at = NULL");
    memory.files.set(ofOther, Buffer.from("damaged"));
    await makeNamedJobs(2);
    const limitsOfOne = { ...limits, partSize: 1, pageJobs: 1 };
    await expect(archive(memory)).rejects.toThrow("is not what was written");
    await fixture.database.query("UPDATE archive_part SET completed_at = now()");
    const options = { before, withTexts: true, limits: limitsOfOne };
    expect(await archiveJobs({ database: fixture.database, ...memory }, options)).toMatchObject({
      parts: 2,
    });
    await fixture.database.query(
      "UPDATE archive_part SET completed_at = NULL WHERE storage_key = $1",
      [ofOther],
    );
    const [, , damaged = ""] = memory.files.keys();
    const bytes = memory.files.get(damaged) ?? new Uint8Array();
    memory.files.delete(damaged);
    expect(await erase(memory)).toBe(false);
    memory.files.delete(ofOther);
    expect(await findWord(memory)).toEqual([]);
    memory.files.set(damaged, bytes);
    expect(await erase(memory)).toBe(true);
    expect(await findWord(memory)).toEqual([]);
  });

  it("is found by the audit a day after its erasure was interrupted", async () => {
    await makeNamedJobs(1);
    await beginErasure(fixture.database, accountId);
    const memory = memoryStorage();
    await expectIntact(memory);
    await fixture.database.query(
      "UPDATE account SET erased_at = erased_at - interval '2 days' WHERE id = $1",
      [accountId],
    );
    expect(await findViolated(memory)).toEqual([
      expect.stringMatching(/^An erased account has no /),
      fileChecks.erasures,
    ]);
    expect(await erase(memory)).toBe(true);
    await expectIntact(memory);
    // Its jobs without texts can be archived then.
    expect(await archive(memory)).toMatchObject({ jobs: 1 });
    await expectIntact(memory);
    expect(await erase(memory)).toBe(true);
    expect(memory.idsOf()).toEqual([]);
  });
});

describe("an export beside the archive", () => {
  it("has each job once, between any two steps of a run and when the run passes it", async () => {
    const { database } = fixture;
    const ids: string[] = [];
    for (let second = 0; second < 4; second++)
      ids.push(await makeJob(monthStart(-4) + second * 1_000));
    const memory = memoryStorage();
    const changed = ids[3] ?? "";
    let isChanged = false;
    const exports: string[][] = [];
    /** Jobs in the tables when an export read them that reads the archive at a later step. */
    let tables: (readonly string[])[] = [];
    const finishExports = async () => {
      for (const inTables of tables) {
        const exported = createExportedJobs();
        exported.add(inTables);
        const archived: string[] = [];
        const options = { accountId, exported };
        for await (const { id } of readArchivedJobs(database, memory.storage, options))
          archived.push(id);
        exports.push([...inTables, ...archived].toSorted());
      }
    };
    const observed = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      await finishExports();
      tables = [...tables.slice(-3), await listIds()];
      return work();
    };
    const storage: ArchiveStorage = {
      async put(...of) {
        // Stays in the tables, so that the file is replaced.
        if (!isChanged)
          await database.query("UPDATE generation SET title = 'x' WHERE id = $1", [changed]);
        isChanged = true;
        await observed(() => memory.storage.put(...of));
      },
      get: (key) => observed(() => memory.storage.get(key)),
      delete: (keys) => observed(() => memory.storage.delete(keys)),
    };
    const shared = {
      query: <Row extends object>(text: string, values?: readonly unknown[]) =>
        observed(() => database.query<Row>(text, values)),
      transaction: <Result>(work: Parameters<Database["transaction"]>[0]) =>
        observed(() => database.transaction(work)) as Promise<Result>,
    } as Pick<Database, "query" | "transaction">;
    const options = { before, withTexts: true, limits: { ...limits, pageJobs: 100, batchRows: 5 } };
    expect(await archiveJobs({ database: shared, storage }, options)).toMatchObject({ jobs: 3 });
    await finishExports();
    expect(exports.length).toBeGreaterThan(20);
    for (const exported of exports) expect(exported).toEqual(ids);
  });
});

describe("a job that changes while it is archived", () => {
  it.each([
    [
      "its account stars it",
      async (id: string) => {
        const caller = await fixture.callerOf(accountId);
        await changeNote(
          fixture.database,
          caller,
          { owner: { accountId }, generationId: id, quotaBytes: 0 },
          { starred: true },
        );
      },
    ],
    [
      "it is chosen as a version of a scene",
      async (id: string) => {
        const choice = { accountId, storyId: id, scene: 1, versionId: id };
        expect(await chooseScene(fixture.database, choice)).toBe(true);
      },
    ],
    ["its texts are removed", (id: string) => redactJobs(fixture.database, [id])],
  ])("stays in the tables and not in the archive when %s", async (_case, change) => {
    const changed = await makeJob(monthStart(-4));
    const other = await makeJob(monthStart(-4) + 1_000);
    const memory = memoryStorage();
    const storage: ArchiveStorage = {
      ...memory.storage,
      async put(...of) {
        if (memory.files.size === 0) await change(changed);
        await memory.storage.put(...of);
      },
    };
    await archive({ ...memory, storage });
    expect(await listIds()).toEqual([changed]);
    expect(memory.idsOf()).toEqual([other]);
    expect(memory.files.size).toBe(1);
    await expectIntact(memory);
  });
});

describe("an archived job", () => {
  it("cannot be chosen as a version of a scene, also while it is being removed", async () => {
    const { database } = fixture;
    const id = await makeJob(monthStart(-4));
    const choice = { accountId, storyId: id, scene: 1, versionId: id };
    const removed = database.transaction(async (sql) => {
      // The first step of removing it, with its lock held until the commit.
      await sql.query("SELECT FROM generation WHERE id = $1 FOR UPDATE", [id]);
      const chosen = chooseScene(database, choice);
      await fixture.untilBlocked("FOR KEY SHARE");
      await deleteJobRows(sql, [id]);
      return { chosen };
    });
    expect(await (await removed).chosen).toBe(false);
    expect(await database.query("SELECT FROM chosen_scene")).toEqual([]);
  });

  it("is not found, which says why to its account only", async () => {
    const { database } = fixture;
    const id = await makeJob(monthStart(-4));
    await archive(memoryStorage());
    const target = { accountId, generationId: id };
    expect(await findGeneration(database, target)).toBeNull();
    await expect(assertNotArchived(database, target)).rejects.toThrow("This job was archived");
    for (const other of [
      { ...target, keyId: newId() },
      { ...target, accountId: newId() },
      { ...target, generationId: newId() },
    ]) {
      expect(await assertNotArchived(database, other)).toBeUndefined();
    }
  });

  it("counts in the usage of its account and in the budgets of its key as before", async () => {
    const { database } = fixture;
    const madeAt = monthStart(-4) + 1_000;
    await makeJob(madeAt);
    await database.query(
      `WITH shared AS (
         INSERT INTO budget (id, account_id, name, budget_micro_eur, budget_period, spent_since)
         VALUES (uuidv7(), $1, 'Team', 10000000, 'total', '2020-01-01') RETURNING id)
       UPDATE api_key SET budget_id = shared.id FROM shared WHERE api_key.id = $1`,
      [accountId],
    );
    await makeJob(madeAt);
    await makeJob(madeAt + 86_400_000);
    const day = (at: number) => new Date(at).toISOString().slice(0, 10);
    const read = () =>
      Promise.all(
        (["day", "model", "key", "kind", "budget"] as const).map((groupBy) =>
          readUsage(database, {
            accountId,
            mode: "live",
            range: { from: day(madeAt), to: day(madeAt + 86_400_000) },
            groupBy,
            maxJobs: 10,
          }),
        ),
      );
    const usage = await read();
    const spent = () =>
      database.query("SELECT spent_micro_eur FROM api_key WHERE id = $1", [accountId]);
    const spending = await spent();
    const memory = memoryStorage();
    await archive(memory);
    // Sums of archived jobs do not count towards the limit of jobs to read.
    expect(await read()).toEqual(
      usage.map((groups) => groups.map((group) => ({ ...group, jobsRead: 0 }))),
    );
    expect([usage[0]?.length, usage[4]?.length]).toEqual([2, 2]);
    await setKeyBudget(database, accountId, { budgetMicroEur: 10_000_000n, period: "total" });
    expect(await spent()).toEqual(spending);
    await expectIntact(memory);
  });

  it("is in the export of its account, and its erasure removes all but hashes and decisions", async () => {
    const { database } = fixture;
    const other = await makeAccount();
    const own = await makeJob(monthStart(-4));
    const ofOther = await makeJob(monthStart(-4) + 1_000, other);
    const memory = memoryStorage();
    await archive(memory);
    const exported = async (account: string) => {
      const jobs = [];
      const options = { accountId: account, exported: createExportedJobs() };
      for await (const job of readArchivedJobs(database, memory.storage, options)) jobs.push(job);
      return jobs;
    };
    expect(await exported(accountId)).toMatchObject([{ id: own, status: "completed" }]);
    await withArchiveLease(database, async () => {
      expect(await eraseArchived(database, memory.storage, accountId)).toMatchObject({
        partsLeft: 1,
      });
    });
    expect(await eraseArchived(database, memory.storage, accountId)).toMatchObject({
      jobs: 1,
      filesNotRemoved: 0,
      partsLeft: 0,
    });
    expect(await exported(accountId)).toEqual([]);
    expect(await exported(other)).toMatchObject([{ id: ofOther }]);
    expect(memory.idsOf()).toEqual([ofOther]);
    expect(memory.rowsOf("moderation_decision")).toHaveLength(2);
    expect(memory.rowsOf("render")).toHaveLength(1);
    expect(memory.files.size).toBe(1);
    await expectIntact(memory);
  });
});
