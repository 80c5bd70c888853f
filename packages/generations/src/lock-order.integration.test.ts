import { glob, readFile } from "node:fs/promises";
import {
  beginErasure,
  insertAccount,
  insertKey,
  prepareKey,
  revokeUnused,
  endKey,
  endLeftovers,
  handOver,
  inviteMember,
  makeSecretKey,
  manage,
  openStudioSession,
  revokeKey,
  rotateKey,
  setSuspended,
  updateAccount,
} from "@atelier/accounts";
import { createSharedBudget, deleteSharedBudget } from "@atelier/billing";
import { newId } from "@atelier/database";
import { uploadKey } from "@atelier/schemas";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { acceptGeneration } from "./accept/accept.ts";
import { type NewGeneration } from "./accept/new-generation.ts";
import { createAcceptor } from "./accept/acceptor.ts";
import { createBatch } from "./batches/batches.ts";
import { cancelGeneration } from "./endings/cancel.ts";
import { changeMember } from "./cast/change-member.ts";
import { createMember } from "./cast/create-member.ts";
import { deleteMember } from "./cast/delete-member.ts";
import type { Claim } from "./claims/claim.ts";
import { AccountBusyError } from "./endings/end-generation.ts";
import { failGeneration } from "./endings/fail.ts";
import { finishRender } from "./endings/finish.ts";
import { createFinisher } from "./endings/finisher.ts";
import { giveUpLost } from "./library/give-up-lost.ts";
import { keepJob, keepRequested, releaseJob } from "./library/keep-job.ts";
import { findFilesToCopy, markCopied } from "./library/kept-files.ts";
import { changeNote } from "./library/change-note.ts";
import { recordIntent } from "./claims/provider-calls.ts";
import { redactJobs } from "./retention/redact.ts";
import { deleteImages, expireImages, markExpiredImages } from "./retention/retain.ts";
import { reserveUpload } from "./uploads.ts";
import {
  acceptRequest,
  answer,
  decision,
  error,
  imagePlan,
  imagesOf,
  openFixture,
  storyPlan,
  type AcceptedGeneration,
  type Fixture,
} from "./testing/fixture.ts";
import { observeLocks } from "./testing/observe-locks.ts";
import { redactAccount } from "./testing/redact-account.ts";

let fixture: Fixture;
/** The tables of lock-order.md, by their number there. */
let ranks: ReadonlyMap<string, number>;

beforeAll(async () => {
  fixture = await openFixture();
  const page = await readFile(new URL("../../database/lock-order.md", import.meta.url), "utf8");
  ranks = new Map(
    Array.from(page.matchAll(/^(\d+)\. (.*)$/gm)).flatMap(([, rank, tables = ""]) =>
      Array.from(tables.matchAll(/`(\w+)`/g), ([, table = ""]) => [table, Number(rank)] as const),
    ),
  );
});

afterAll(() => fixture.close());

/** The places where an operation waits for a table while it has locked a later one of the order. */
async function wrongWaits(prepare: () => Promise<() => Promise<unknown>>): Promise<string[]> {
  const rankOf = (table: string) => ranks.get(table) ?? 0;
  const waits = await observeLocks(fixture.database, [...ranks.keys()], prepare);
  observed.push(...waits.map(({ waitsFor }) => waitsFor));
  return waits.flatMap(({ waitsFor, holds }) =>
    holds
      .filter((table) => rankOf(table) > rankOf(waitsFor))
      .map((table) => `${waitsFor} after ${table}`),
  );
}

/** The tables that operations were seen to wait for. */
const observed: string[] = [];

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

async function claimed(request: Parameters<Fixture["accept"]>[0] = {}): Promise<Claim> {
  const { renders } = await fixture.accept(request);
  return fixture.claim(renders[0]);
}

/** Creates a shared budget for the key of an account. */
async function shareBudget(accountId: string): Promise<string> {
  const id = newId();
  const budget = { id, accountId, name: id, budgetMicroEur: 1_000_000n, period: "day" } as const;
  await createSharedBudget(fixture.database, budget);
  await fixture.database.query("UPDATE api_key SET budget_id = $2 WHERE id = $1", [accountId, id]);
  return id;
}

/** A request of the next line of a batch of an account, whose key has a shared budget. */
async function batchRequestOf(accountId: string) {
  const id = newId();
  await shareBudget(accountId);
  const batch = { id, accountId, keyId: accountId, linesTotal: 3, acceptForMs: 3_600_000 };
  await createBatch(fixture.database, { ...batch, idempotency: null, webhook: null });
  return { accountId, batch: { id, line: 1 } };
}

async function openSession(accountId: string): Promise<string> {
  const caller = await fixture.callerOf(accountId);
  const options = { userAgent: null, forMs: 60_000 };
  return (await openStudioSession(fixture.database, caller, options)) ?? "";
}

/** A request from Studio for a line of a batch, with an image, an upload and a kept file as references. */
async function requestWithAll(): Promise<NewGeneration> {
  const { job, caller } = await kept();
  const { accountId } = job;
  await copyAll();
  const [copy] = await fixture.database.query<{ key: string }>(
    "SELECT storage_key AS key FROM kept_file WHERE item_id = $1 LIMIT 1",
    [job.generationId],
  );
  const other = await completed(accountId);
  const uploadId = newId();
  await storeUpload(accountId, uploadId);
  const keys = [other.key, copy?.key ?? "", uploadKey(uploadId, "png")];
  const references = keys.map((key, index) => ({
    role: "style" as const,
    name: null,
    description: "it",
    source: { kind: "stored" as const, key, path: `reference_images.${index}` },
  }));
  const plan = {
    ...imagePlan,
    request: { image: { job_id: other.generationId } },
    renders: imagePlan.renders.map((render) => ({
      ...render,
      spec: { ...render.spec, references },
    })),
  };
  const sessionId = await openSession(caller.accountId);
  return acceptRequest({ ...(await batchRequestOf(accountId)), plan, sessionId });
}

async function storeUpload(accountId: string, id: string): Promise<void> {
  const upload = { id, accountId, keyId: accountId, mode: "live" as const, sizeBytes: 1 };
  await reserveUpload(fixture.database, { ...upload, quotaBytes });
  await fixture.database.query(
    `UPDATE upload SET storage_key = $2, format = 'png', sha256 = '', width = 1, height = 1,
            expires_at = now() + interval '1 day' WHERE id = $1`,
    [id, uploadKey(id, "png")],
  );
}

async function character() {
  const { job, caller } = await kept();
  const member = memberOf(job.key);
  await createMember(fixture.database, caller, member);
  await copyAll();
  const target = { accountId: job.accountId, kind: "character", id: member.id } as const;
  return { target, caller };
}

/** An account with a character, a kept job, an upload, a batch, a session and a webhook. */
async function accountWithAll(): Promise<{ readonly accountId: string }> {
  const { target } = await character();
  const { accountId } = target;
  await batchRequestOf(accountId);
  await storeUpload(accountId, newId());
  await openSession(accountId);
  await fixture.database.query(
    `INSERT INTO webhook (id, account_id, key_id, url, events, secret)
     VALUES ($1, $2, $2, 'https://example.com', '{job.completed}', '')`,
    [newId(), accountId],
  );
  return { accountId };
}

function unlessBusy(cause: unknown): void {
  if (!(cause instanceof AccountBusyError)) throw cause;
}

/** Operations that lock rows of several tables: each prepares what it changes. */
const operations = {
  "accepting a job with all that it refers to": async () => {
    const request = await requestWithAll();
    return () => acceptGeneration(fixture.database, request);
  },
  "accepting a job with a new webhook_url": async () => {
    const request = await requestWithAll();
    const webhook = { webhookId: newId(), isNew: true, url: "https://example.com/a", events: [] };
    return () => acceptGeneration(fixture.database, { ...request, webhook });
  },
  "accepting a group of jobs": async () => {
    const request = await requestWithAll();
    const { accountId } = request;
    const acceptor = createAcceptor(fixture.database, { maxWaiting: 100, maxWaitMs: 60_000 });
    return () =>
      Promise.all([
        acceptor.accept(acceptRequest({ accountId })),
        acceptor.accept(acceptRequest({ accountId })),
        acceptor.accept(request),
      ]);
  },
  "finishing the image of a job": async () => {
    const claim = await claimed();
    return () => finishRender(fixture.database, claim, imagesOf(claim), answer);
  },
  "finishing the image of a job in a batch": async () => {
    const claim = await claimed(await batchRequestOf(await fixture.makeAccount()));
    return () => finishRender(fixture.database, claim, imagesOf(claim), answer);
  },
  "finishing one of several images": async () => {
    const claim = await claimed({ plan: storyPlan });
    return () => finishRender(fixture.database, claim, imagesOf(claim), answer);
  },
  "finishing a group of images": async () => {
    const accountId = await fixture.makeAccount();
    const claims = [
      await claimed({ accountId }),
      await claimed({ accountId }),
      await claimed(await batchRequestOf(accountId)),
    ];
    const finisher = createFinisher(fixture.database);
    return () =>
      Promise.all(claims.map((claim) => finisher.finish(claim, imagesOf(claim), answer, null)));
  },
  "failing a job": async () => {
    const claim = await claimed(await batchRequestOf(await fixture.makeAccount()));
    const { generationId } = claim;
    return () => failGeneration(fixture.database, { generationId, claim, error });
  },
  "failing a job past its deadline": async () => {
    const { generationId } = await fixture.accept();
    const overdue = { generationId, claim: null, error };
    // It leaves a locked job to its next round, and a locked account too.
    return () => failGeneration(fixture.database, overdue).catch(unlessBusy);
  },
  "cancelling a job": async () => {
    const job = await fixture.accept(await batchRequestOf(await fixture.makeAccount()));
    return () => cancelGeneration(fixture.database, job);
  },
  "changing the note of a job": async () => {
    const job = await completed();
    const caller = await fixture.callerOf(job.accountId);
    const change = { starred: true, title: "x" };
    await updateAccount(fixture.database, job.accountId, { keepStarred: true });
    return () => changeNote(fixture.database, caller, { ...targetOf(job), quotaBytes }, change);
  },
  "keeping a job": async () => {
    const job = await completed();
    const caller = await fixture.callerOf(job.accountId);
    return () => keepJob(fixture.database, caller, { ...targetOf(job), quotaBytes });
  },
  "keeping what was requested": async () => {
    const job = await fixture.accept();
    const caller = await fixture.callerOf(job.accountId);
    await keepJob(fixture.database, caller, { ...targetOf(job), quotaBytes });
    const claim = await fixture.claim(job.renders[0]);
    await finishRender(fixture.database, claim, imagesOf(claim), answer);
    const onError = (cause: unknown) => expect.unreachable(String(cause));
    const page = { quotaBytes, after: null, limit: 100, onError };
    return () => keepRequested(fixture.database, page);
  },
  "expiring the images of a job": async () => {
    const { renders } = await completed();
    return () => expireImages(fixture.database, renders);
  },
  "marking kept files as copied": async () => {
    await kept();
    return copyAll;
  },
  "giving up kept files that are lost": async () => {
    const { job } = await kept();
    const [file] = await fixture.database.query<{ key: string }>(
      "SELECT storage_key AS key FROM kept_file WHERE item_id = $1 LIMIT 1",
      [job.generationId],
    );
    const lost = { itemId: job.generationId, storageKeys: [file?.key ?? ""] };
    return () => giveUpLost(fixture.database, lost);
  },
  "releasing a job": async () => {
    const { job, caller } = await kept();
    await copyAll();
    return () => releaseJob(fixture.database, caller, targetOf(job));
  },
  "creating a character": async () => {
    const { job, caller } = await kept();
    return () => createMember(fixture.database, caller, memberOf(job.key));
  },
  "changing a character": async () => {
    const { target, caller } = await character();
    const other = await completed(target.accountId);
    const change = {
      quotaBytes,
      apply: () => ({
        name: "Mira",
        description: "tall",
        looks: [{ state: null, description: "", image: { key: other.key, path: "image" } }],
      }),
    };
    return () => changeMember(fixture.database, caller, target, change);
  },
  "deleting a character": async () => {
    const { target, caller } = await character();
    return () => deleteMember(fixture.database, caller, target);
  },
  "deleting the images of a job": async () => {
    const { job } = await kept();
    return () => deleteImages(fixture.database, job);
  },
  "expiring images": async () => {
    await completed();
    return () => markExpiredImages(fixture.database, { retentionMs: -3_600_000, limit: 100 });
  },
  "reserving an upload": async () => {
    const accountId = await fixture.makeAccount();
    const upload = { id: newId(), accountId, keyId: accountId, mode: "live" as const };
    return () => reserveUpload(fixture.database, { ...upload, sizeBytes: 1, quotaBytes });
  },
  "beginning an erasure": async () => {
    const { accountId } = await accountWithAll();
    return () => beginErasure(fixture.database, accountId);
  },
  "redacting the jobs of an account": async () => {
    const { accountId } = await accountWithAll();
    await beginErasure(fixture.database, accountId);
    return () => redactAccount(fixture.database, accountId);
  },
  "rotating an unused key of an import": async () => {
    const { accountId } = await accountWithAll();
    const { database } = fixture;
    const externalId = newId();
    await database.query("UPDATE account SET external_id = $2 WHERE id = $1", [
      accountId,
      externalId,
    ]);
    const account = { id: newId(), name: "test", strictness: null, externalId };
    const key = prepareKey("test", "live");
    return () =>
      database.transaction(async (sql) => {
        const existing = await insertAccount(sql, account);
        await revokeUnused(sql, existing.id, "test");
        await insertKey(sql, existing.id, key, "pepper");
      });
  },
  "revoking a key": async () => {
    const { accountId } = await accountWithAll();
    return () => revokeKey(fixture.database, accountId);
  },
  "ending a key with the rights of another": async () => {
    const { accountId } = await accountWithAll();
    const caller = await fixture.callerOf(accountId);
    return () =>
      manage(
        fixture.database,
        caller,
        (managing) => endKey(managing, managing.target ?? expect.unreachable()),
        accountId,
      );
  },
  "ending what belongs to ended keys": async () => {
    const { accountId } = await accountWithAll();
    await fixture.database.query("UPDATE api_key SET revoked_at = now() WHERE id = $1", [
      accountId,
    ]);
    return () => endLeftovers(fixture.database);
  },
  "rotating a key": async () => {
    const { accountId } = await accountWithAll();
    const caller = await fixture.callerOf(accountId);
    const change = { secret: makeSecretKey("pepper"), graceMs: 1_000 };
    return () =>
      manage(
        fixture.database,
        caller,
        (managing) => rotateKey(managing, managing.target ?? expect.unreachable(), change),
        accountId,
      );
  },
  "deleting a shared budget": async () => {
    const accountId = await fixture.makeAccount();
    const budgetId = await shareBudget(accountId);
    const caller = await fixture.callerOf(accountId);
    await fixture.database.query(
      `INSERT INTO api_key (id, account_id, budget_id, name, hash, last_four, revoked_at)
       SELECT $2::uuid, $1, budget_id, 'test', uuid_send($2::uuid), 'test', now() FROM api_key WHERE id = $1`,
      [accountId, newId()],
    );
    await fixture.database.query("UPDATE api_key SET budget_id = NULL WHERE id = $1", [accountId]);
    return () =>
      manage(fixture.database, caller, ({ sql }) =>
        deleteSharedBudget(sql, { accountId, budgetId }),
      );
  },
  "handing over the keys and webhooks of a member": async () => {
    const { accountId } = await accountWithAll();
    const { database } = fixture;
    await database.query("UPDATE api_key SET budget_id = NULL WHERE id = $1", [accountId]);
    const caller = await fixture.callerOf(accountId);
    const [from, to] = await Promise.all(
      ["manager", "owner"].map(async (role) => {
        const member = { id: newId(), role: role as "owner", name: "test", email: null };
        const secret = makeSecretKey("pepper");
        await manage(database, caller, (managing) => inviteMember(managing, secret, member));
        return { id: member.id, keyId: secret.id };
      }),
    );
    if (from === undefined || to === undefined) throw new Error("both were invited");
    await database.query(
      `INSERT INTO webhook (id, account_id, key_id, url, events, secret)
       VALUES (uuidv7(), $1, $2, 'https://example.com', '{}', '')`,
      [accountId, from.keyId],
    );
    return () => manage(database, caller, (managing) => handOver(managing, to.id), from.keyId);
  },
  "suspending an account": async () => {
    const { accountId, generationId } = await completed();
    await fixture.database.query(
      `INSERT INTO share (id, account_id, key_id, mode, generation_id, hash, expires_at)
       VALUES (uuidv7(), $1, $1, 'live', $2, uuid_send($2), now() + interval '1 day')`,
      [accountId, generationId],
    );
    return () => setSuspended(fixture.database, accountId, true);
  },
  "signing in to Studio": async () => {
    const { accountId } = await accountWithAll();
    await fixture.database.query(
      `INSERT INTO studio_session (id, account_id, key_id, is_superseded, expires_at)
       SELECT uuidv7(), $1, $1, false, now() + interval '1 hour' FROM generate_series(1, 100)`,
      [accountId],
    );
    const caller = await fixture.callerOf(accountId);
    return () => openStudioSession(fixture.database, caller, { userAgent: null, forMs: 60_000 });
  },
} satisfies Readonly<Record<string, () => Promise<() => Promise<unknown>>>>;

/** Files whose SQL locks rows of two tables or more: the operations that show their order, or a reason. */
const observedFiles: Readonly<Record<string, readonly (keyof typeof operations)[] | string>> = {
  "packages/accounts/src/account-rows.ts": ["rotating an unused key of an import"],
  "packages/accounts/src/authenticate.ts": "It skips rows that are locked.",
  "packages/accounts/src/end-keys.ts": ["ending what belongs to ended keys", "revoking a key"],
  "packages/accounts/src/erase.ts": ["beginning an erasure"],
  "packages/accounts/src/key-lifecycle.ts": ["revoking a key", "rotating a key"],
  "packages/accounts/src/manage.ts": ["rotating a key"],
  "packages/accounts/src/members.ts": ["handing over the keys and webhooks of a member"],
  "packages/accounts/src/suspend.ts": ["suspending an account"],
  "packages/accounts/src/studio-sessions.ts": ["signing in to Studio"],
  "packages/billing/src/shared-budget.ts": ["deleting a shared budget"],
  "packages/generations/src/accept/insert-generation.ts": [
    "accepting a job with all that it refers to",
  ],
  "packages/generations/src/cast/lock-stored.ts": ["creating a character"],
  "packages/generations/src/endings/end-generation.ts": ["failing a job", "cancelling a job"],
  "packages/generations/src/library/change-note.ts": ["changing the note of a job"],
  "packages/generations/src/library/give-up-lost.ts": ["giving up kept files that are lost"],
  "packages/generations/src/library/keep-job.ts": ["keeping a job", "keeping what was requested"],
  "packages/generations/src/library/kept-files.ts": ["marking kept files as copied"],
  "packages/generations/src/library/release-item.ts": ["releasing a job"],
  "packages/generations/src/library/replace-files.ts": ["changing a character"],
  "packages/generations/src/retention/redact.ts": ["redacting the jobs of an account"],
  "packages/generations/src/retention/retain.ts": [
    "deleting the images of a job",
    "expiring images",
  ],
  "packages/generations/src/uploads.ts": ["reserving an upload"],
};

/** The tables of the order whose rows the SQL of a file locks. */
function lockedTables(text: string): ReadonlySet<string> {
  const changed = text.matchAll(/\b(?:UPDATE|DELETE FROM) (\w+)/g);
  const selected = text.matchAll(
    /\bFROM (\w+)\b[^`]{0,400}?\bFOR (?:NO KEY UPDATE|UPDATE|SHARE)\b/g,
  );
  const tables = [...changed, ...selected].map(([, table = ""]) => table);
  return new Set(tables.filter((table) => ranks.has(table)));
}

describe("the order of locks", () => {
  it("has every table of the order in the database", async () => {
    expect(ranks.size).toBe(14);
    const tables = await fixture.database.query(
      "SELECT FROM pg_tables WHERE schemaname = 'public' AND tablename = ANY ($1)",
      [[...ranks.keys()]],
    );
    expect(tables).toHaveLength(ranks.size);
  });

  it.each(Object.entries(operations))("is kept to by %s", async (_name, prepare) => {
    expect(await wrongWaits(prepare)).toEqual([]);
  });

  it("is observed for each file whose SQL locks rows of two tables", async () => {
    const root = new URL("../../..", import.meta.url);
    const found: string[] = [];
    for await (const file of glob("{apps,packages}/*/src/**/*.ts", { cwd: root })) {
      if (/\.test\.ts$|\/testing\//.test(file)) continue;
      const text = await readFile(new URL(file, root), "utf8");
      if (lockedTables(text).size > 1) found.push(file);
    }
    expect(found.sort()).toEqual(Object.keys(observedFiles).sort());
  });

  it("is observed for each of its tables", () => {
    expect(new Set(observed)).toEqual(new Set(ranks.keys()));
  });

  it("is checked: a transaction that goes back is found", async () => {
    const { database } = fixture;
    const goBack = () =>
      database.transaction(async (sql) => {
        await sql.query("SELECT FROM account FOR UPDATE");
        await sql.query("SELECT FROM image FOR UPDATE");
      });
    await completed();
    expect(await wrongWaits(() => Promise.resolve(goBack))).toEqual(["image after account"]);
  });

  it("is checked: a statement whose parts go back is found", async () => {
    const { database } = fixture;
    const goBack = () =>
      database.query(
        `WITH payer AS (SELECT id FROM account FOR UPDATE),
              job AS (UPDATE generation SET title = title WHERE account_id IN (SELECT id FROM payer))
         SELECT FROM payer`,
      );
    await completed();
    expect(await wrongWaits(() => Promise.resolve(goBack))).toEqual(["generation after account"]);
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

  it("happens when two redactions have jobs that changed the images of each other's", async () => {
    const accountId = await fixture.makeAccount();
    const make = async (image?: string) => {
      const request = image === undefined ? {} : { image: { job_id: image } };
      const job = await fixture.accept({ accountId, plan: { ...imagePlan, request } });
      return job.generationId;
    };
    const [first, second] = [await make(), await make()];
    const [ofFirst, ofSecond] = [await make(first), await make(second)];
    const { database } = fixture;
    await database.query(
      "UPDATE generation SET status = 'failed', completed_at = now() WHERE account_id = $1",
      [accountId],
    );
    let runs = 0;
    let other: Promise<void> | undefined;
    // The first one has locked what it changes when the other one begins, or waits for it.
    const transaction: Fixture["database"]["transaction"] = (work) =>
      database.transaction((sql) => {
        runs += 1;
        return work({
          ...sql,
          query: async (text: string, values: readonly unknown[]) => {
            if (other === undefined && text.includes("DELETE FROM generation_search")) {
              other = redactJobs({ ...database, transaction }, [second, ofFirst]);
              await fixture.untilBlocked("generation_search");
            }
            return sql.query(text, values);
          },
        });
      });
    await redactJobs({ ...database, transaction }, [first, ofSecond]);
    await other;
    // A transaction that Postgres ends because of a deadlock runs again.
    expect(runs).toBe(2);
  });

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
