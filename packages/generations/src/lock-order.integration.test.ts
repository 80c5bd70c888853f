import { beginErasure } from "@atelier/accounts";
import { newId, type Database, type Sql } from "@atelier/database";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAcceptor } from "./acceptor.ts";
import { changeMember } from "./cast/change-member.ts";
import { createMember } from "./cast/create-member.ts";
import { deleteMember } from "./cast/delete-member.ts";
import { recordIntent } from "./claims/provider-calls.ts";
import { finishRender } from "./endings/finish.ts";
import { giveUpLost } from "./kept/give-up-lost.ts";
import { keepJob, keepRequested, releaseJob } from "./kept/keep-job.ts";
import { findFilesToCopy, markCopied } from "./kept/kept-files.ts";
import { changeNote } from "./notes/change-note.ts";
import { redactAccountPage } from "./retention/redact.ts";
import { deleteImages, markExpiredImages } from "./retention/retain.ts";
import {
  answer,
  decision,
  imagePlan,
  imagesOf,
  openFixture,
  type AcceptedGeneration,
  type Fixture,
} from "./testing/fixture.ts";

let fixture: Fixture;
/** The tables of lock-order.md, by their number there. */
let ranks: ReadonlyMap<string, number>;

beforeAll(async () => {
  fixture = await openFixture();
  const page = await readFile(new URL("../../database/lock-order.md", import.meta.url), "utf8");
  ranks = new Map(
    Array.from(page.matchAll(/^(\d)\. (.*)$/gm)).flatMap(([, rank, tables = ""]) =>
      Array.from(tables.matchAll(/`(\w+)`/g), ([, table = ""]) => [table, Number(rank)] as const),
    ),
  );
});

afterAll(() => fixture.close());

interface TableLock {
  readonly table: string;
  readonly mode: string;
}

/** Tables whose rows the transaction may have locked so far. */
const lockedTables = `
  SELECT relation::regclass::text AS table, mode FROM pg_locks JOIN pg_class ON pg_class.oid = relation
   WHERE pid = pg_backend_pid() AND relkind = 'r' AND mode IN ('RowShareLock', 'RowExclusiveLock')`;

/** Runs transactions, and fails those that lock a table after a later one of the order. */
function checkingOrder(database: Database): Database {
  return {
    ...database,
    transaction: (work) =>
      database.transaction((sql) => {
        const seen = new Set<string>();
        /** Tables whose rows were locked in their turn. */
        const held = new Set<string>();
        let latest = "";
        let before: Promise<unknown> = Promise.resolve();
        const query = async <Row extends object>(text: string, values?: readonly unknown[]) => {
          const rows = await sql.query<Row>(text, values);
          const locked = await sql.query<TableLock>(lockedTables);
          const inserted = Array.from(text.matchAll(/INSERT INTO (\w+)/g), ([, table]) => table);
          const isNew = ({ table, mode }: TableLock) =>
            ranks.has(table) && !seen.has(`${table} ${mode}`);
          // Nobody else has inserted rows; their foreign keys lock others against deletion only.
          const isWaited = ({ table, mode }: TableLock) =>
            inserted.length === 0 || (mode === "RowExclusiveLock" && !inserted.includes(table));
          const added = locked.filter(isNew);
          for (const { table, mode } of added) seen.add(`${table} ${mode}`);
          const waited = added
            .filter(isWaited)
            .map(({ table }) => table)
            .filter((table) => !held.has(table));
          const rankOf = (table: string) => ranks.get(table) ?? 0;
          for (const table of waited.toSorted((a, b) => rankOf(a) - rankOf(b))) {
            if (rankOf(table) < rankOf(latest) && !text.includes("SKIP LOCKED"))
              throw new Error(`${table} is locked after ${latest}: ${text}`);
            held.add(table);
            latest = table;
          }
          return rows;
        };
        const checked: Sql = {
          // One after another, so that the locks of each are known.
          query: <Row extends object>(text: string, values?: readonly unknown[]) => {
            const result = before.then(() => query<Row>(text, values));
            before = result.catch(() => undefined);
            return result;
          },
        };
        return work(checked);
      }),
  };
}

async function completed(accountId?: string): Promise<AcceptedGeneration & { key: string }> {
  const job = await fixture.accept(accountId === undefined ? {} : { accountId });
  const claim = await fixture.claim(job.renders[0]);
  const callId = await recordIntent(fixture.database, claim, decision);
  const images = imagesOf(claim);
  await finishRender(fixture.database, claim, images, { ...answer, callId: callId ?? "" });
  return { ...job, key: images[0]?.storageKey ?? "" };
}

const quotaBytes = 1e9;

const targetOf = ({ accountId, generationId }: AcceptedGeneration) => ({
  owner: { accountId },
  generationId,
});

const memberOf = (key: string, id = newId()) => ({
  id,
  kind: "character" as const,
  name: "Mira",
  description: "",
  looks: [{ state: null, description: "", key, path: "image" }],
  storyJobId: null,
  quotaBytes,
  idempotency: null,
});

async function copyAll(): Promise<void> {
  const files = await findFilesToCopy(fixture.database, { after: "", limit: 1_000 });
  await markCopied(
    fixture.database,
    files.map(({ storageKey }) => storageKey),
  );
}

/** A completed job that is kept, and its account. */
async function kept() {
  const job = await completed();
  const caller = await fixture.callerOf(job.accountId);
  await keepJob(fixture.database, caller, { ...targetOf(job), quotaBytes });
  return { job, caller };
}

describe("the order of locks", () => {
  it("has every table of the order in the database", async () => {
    expect(ranks.size).toBe(11);
    const tables = await fixture.database.query(
      "SELECT FROM pg_tables WHERE schemaname = 'public' AND tablename = ANY ($1)",
      [[...ranks.keys()]],
    );
    expect(tables).toHaveLength(ranks.size);
  });

  it("is kept to by all changes of jobs, kept items, characters and accounts", async () => {
    const database = checkingOrder(fixture.database);
    const onError = (error: unknown) => expect.unreachable(String(error));
    const job = await completed();
    const { accountId, generationId } = job;
    const caller = await fixture.callerOf(accountId);
    await changeNote(database, caller, targetOf(job), { starred: true, title: "x" });
    await keepJob(database, caller, { ...targetOf(job), quotaBytes });
    const [file] = await findFilesToCopy(database, { after: "", limit: 1_000 });
    await giveUpLost(database, { itemId: generationId, storageKeys: [file?.storageKey ?? ""] });
    await keepJob(database, caller, { ...targetOf(job), quotaBytes });
    await copyAll();
    await releaseJob(database, caller, targetOf(job));
    const unfinished = await fixture.accept({ accountId });
    await keepJob(database, caller, { ...targetOf(unfinished), quotaBytes });
    const claim = await fixture.claim(unfinished.renders[0]);
    await finishRender(database, claim, imagesOf(claim), answer);
    await keepRequested(database, { quotaBytes, after: null, limit: 10, onError });
    const member = memberOf(job.key);
    await createMember(database, caller, member);
    await copyAll();
    const target = { accountId, kind: "character", id: member.id } as const;
    const other = await completed(accountId);
    await changeMember(database, caller, target, {
      quotaBytes,
      apply: () => ({
        name: "Mira",
        description: "tall",
        looks: [{ state: null, description: "", image: { key: other.key, path: "image" } }],
      }),
    });
    await deleteMember(database, caller, target);
    await deleteImages(database, { accountId, generationId });
    await markExpiredImages(database, { retentionMs: -3_600_000, limit: 100 });
    expect(await beginErasure(database, accountId)).toEqual({ kind: "begun" });
    await redactAccountPage(database, { accountId, after: null, limit: 10 });
  });

  it("is checked: a transaction that goes back fails", async () => {
    const back = checkingOrder(fixture.database).transaction(async (sql) => {
      await sql.query("SELECT FROM account FOR UPDATE");
      await sql.query("SELECT FROM image FOR UPDATE");
    });
    await expect(back).rejects.toThrow("image is locked after account");
  });
});

describe("no deadlock", () => {
  async function countDeadlocks(work: () => Promise<void>): Promise<number> {
    const read = async () => {
      await fixture.database.query("SELECT pg_stat_force_next_flush()");
      const [row] = await fixture.database.query<{ deadlocks: number }>(
        "SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()",
      );
      return row?.deadlocks ?? 0;
    };
    const before = await read();
    await work();
    return (await read()) - before;
  }

  it("happens when the images of a job are deleted while a character is made of one of them", async () => {
    const deadlocks = await countDeadlocks(async () => {
      for (let turn = 0; turn < 10; turn++) {
        const { job, caller } = await kept();
        const { accountId, generationId } = job;
        await Promise.allSettled([
          deleteImages(fixture.database, { accountId, generationId }),
          createMember(fixture.database, caller, memberOf(job.key)),
        ]);
      }
    });
    expect(deadlocks).toBe(0);
  });

  it("happens when the images of a job are deleted while a group of jobs with one of them is accepted", async () => {
    const acceptor = createAcceptor(fixture.database, { maxWaiting: 100, maxWaitMs: 60_000 });
    const deadlocks = await countDeadlocks(async () => {
      for (let turn = 0; turn < 10; turn++) {
        const { job } = await kept();
        const { accountId, generationId } = job;
        const reference = {
          role: "style",
          name: null,
          description: "it",
          source: { kind: "stored", key: job.key, path: "reference_images.0" },
        } as const;
        const withReference = {
          ...imagePlan,
          renders: imagePlan.renders.map((render) => ({
            ...render,
            spec: { ...render.spec, references: [reference] },
          })),
        };
        const accept = (plan = imagePlan) =>
          acceptor.accept({
            accountId,
            keyId: accountId,
            plan,
            deadlineMs: 60_000,
            maxUnfinishedJobs: 100,
            idempotency: null,
          });
        await Promise.allSettled([
          accept(),
          accept(),
          accept(withReference),
          accept(withReference),
          deleteImages(fixture.database, { accountId, generationId }),
        ]);
      }
    });
    expect(deadlocks).toBe(0);
  });
});
