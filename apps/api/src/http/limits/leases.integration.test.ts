import { createAccount, createKey, type Credential } from "@atelier/accounts";
import { createDatabase, type Database } from "@atelier/database";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { createAdmissions, type Admissions } from "./admission.ts";

const pepper = "a pepper of thirty-two characters";
const polled = { policy: "other", perMinute: 600, isLeased: true };
/** A limit whose leases last for all reads of a test. */
const wide = { ...polled, perMinute: 6_000_000 };
const exact = { policy: "other", perMinute: 600 };
/** Time of one request of the limit, in milliseconds. */
const intervalMs = 100;

let testDatabase: TestDatabase;
let database: Database;
let accountId: string;
let keyId: string;
let credential: Credential;
/** Statements of the processes. */
let statements = 0;
let processes: Admissions[] = [];
/** Delays the results of their statements. */
let hold: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 8, applicationName: "test" });
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

beforeEach(async () => {
  accountId = await createAccount(database, { name: "test" });
  const created = await createKey(database, { accountId, name: "test", pepper });
  keyId = created.id;
  credential = { kind: "key", key: created.key };
});

afterEach(async () => {
  hold = async () => undefined;
  await Promise.all(processes.map((process) => process.close()));
  processes = [];
});

/** Creates the admissions of a process that listens for changes. */
function startProcess(): Admissions {
  const query: Database["query"] = async (text, values) => {
    statements++;
    const rows = await database.query(text, values);
    await hold();
    return rows as never;
  };
  const process = createAdmissions([pepper], { pipelined: { query }, query }, (error) => {
    throw error;
  });
  process.resume();
  processes.push(process);
  return process;
}

const revokeInSilence = () =>
  database.transaction(async (sql) => {
    await sql.query("SET LOCAL session_replication_role = replica");
    await sql.query("UPDATE api_key SET revoked_at = now() WHERE id = $1", [keyId]);
  });

async function read(process: Admissions, limit: typeof exact = polled) {
  const admission = await process.admit(credential, limit);
  if (admission === null) throw new Error("the key was not found");
  return admission;
}

/** Reads until the key is refused. Returns when the last read began that was not. */
async function untilRefused(process: Admissions, limit: typeof exact): Promise<number> {
  for (let servedAt = 0; ;) {
    const beganAt = performance.now();
    if ((await read(process, limit)).caller.refusal !== null) return servedAt;
    servedAt = beganAt;
    // So that a second has fewer reads than a lease.
    await database.query("SELECT 1");
  }
}

/** Reads until the process admits reads from memory. */
async function lease(process: Admissions): Promise<void> {
  for (let sent = 0; sent < 3; sent++) await read(process);
}

/** Backlog of the key's bucket in the database, in milliseconds. */
async function backlogMs(): Promise<number> {
  const [bucket] = await database.query<{ ms: number }>(
    `SELECT extract(epoch FROM theoretical_arrival_at - now())::float8 * 1000 AS ms
       FROM rate_limit WHERE key = 'other:' || $1`,
    [keyId],
  );
  return Math.max(0, bucket?.ms ?? 0);
}

describe("the reads of a key", () => {
  it("need few statements", async () => {
    const process = startProcess();
    statements = 0;
    for (let sent = 0; sent < 1_000; sent++) await read(process, wide);
    expect(statements).toBeLessThan(100);
  });

  it("are counted once each when what is unused was returned", async () => {
    const process = startProcess();
    for (let sent = 0; sent < 15; sent++) await read(process);
    const { limit } = await read(process);
    await process.close();
    expect(await backlogMs()).toBeLessThanOrEqual(limit.backlogMs);
  });

  it("need a statement each below 60 a minute, for sessions and for other limits", async () => {
    const process = startProcess();
    statements = 0;
    for (let sent = 0; sent < 10; sent++) {
      await process.admit(credential, { ...polled, policy: "few", perMinute: 59 });
      await read(process, exact);
    }
    expect(statements).toBeGreaterThanOrEqual(20);
  });

  it("see a limit that falls by each request, also between exact ones", async () => {
    const process = startProcess();
    const startedAt = performance.now();
    for (let sent = 1; sent <= 60; sent++) {
      const { limit } = await read(process, sent % 7 === 0 ? exact : polled);
      const passedMs = performance.now() - startedAt;
      expect(limit.backlogMs).toBeLessThanOrEqual(sent * intervalMs);
      expect(limit.backlogMs).toBeGreaterThan(sent * intervalMs - passedMs - 1_000);
    }
  });

  it("are admitted by the rest of a lease when the limit is used up", async () => {
    const process = startProcess();
    await lease(process);
    await database.query(
      "UPDATE rate_limit SET theoretical_arrival_at = now() + interval '2 minutes' WHERE key = 'other:' || $1",
      [keyId],
    );
    const outcomes = [];
    for (let sent = 0; sent < 30; sent++) {
      outcomes.push((await read(process, exact)).limit.allowed);
    }
    expect(outcomes[0]).toBe(true);
    expect(outcomes.at(-1)).toBe(false);
  });
});

describe("the limit of a key that several processes serve", () => {
  it("admits at most a tenth more than the limit, and at least nine tenths of it", async () => {
    const all = Array.from({ length: 4 }, startProcess);
    const startedAt = performance.now();
    let admitted = 0;
    let admittedBeforeRefusal: number | null = null;
    await Promise.all(
      all.flatMap((process) =>
        Array.from({ length: 4 }, async () => {
          for (let sent = 0; sent < 100; sent++) {
            const { limit } = await read(process);
            if (limit.allowed) admitted++;
            else admittedBeforeRefusal ??= admitted;
          }
        }),
      ),
    );
    const refilled = (performance.now() - startedAt) / intervalMs;
    expect(admitted).toBeLessThanOrEqual(600 * 1.1 + 1 + refilled);
    expect(admittedBeforeRefusal).toBeGreaterThanOrEqual(600 * 0.9);
  });

  it("leases at most a tenth in two seconds, also when the processes end without returning it", async () => {
    const all = Array.from({ length: 6 }, startProcess);
    for (let sent = 0; sent < 6; sent++) await Promise.all(all.map((process) => read(process)));
    const [bucket] = await database.query<{ leased: number }>(
      "SELECT leased FROM rate_limit WHERE key = 'other:' || $1",
      [keyId],
    );
    expect(bucket?.leased).toBeGreaterThan(0);
    expect(bucket?.leased).toBeLessThanOrEqual(30);
  });
});

describe("what a key may do", () => {
  it("is a second old at most", async () => {
    const process = startProcess();
    for (let sent = 0; sent < 4_000; sent++) await read(process, wide);
    await revokeInSilence();
    const revokedAt = performance.now();
    const servedAt = await untilRefused(process, wide);
    expect(servedAt).toBeGreaterThan(revokedAt);
    expect(servedAt).toBeLessThanOrEqual(revokedAt + 1_000);
  });

  it.each([
    ["its account is named", (process: Admissions) => process.forget(accountId)],
    ["changes are not notified", (process: Admissions) => process.pause()],
  ])("is read from the rows at once when %s", async (_case, drop) => {
    const process = startProcess();
    await lease(process);
    await revokeInSilence();
    drop(process);
    expect((await read(process)).caller.refusal).toBe("revoked");
  });

  it("is not kept by a read that began before the change", async () => {
    const process = startProcess();
    for (let sent = 0; sent < 100; sent++) await read(process, wide);
    const isHeld = Promise.withResolvers<"rows">();
    const isReleased = Promise.withResolvers<void>();
    hold = () => {
      isHeld.resolve("rows");
      return isReleased.promise;
    };
    let reading: Promise<unknown>;
    let source: "memory" | "rows";
    do {
      reading = read(process, wide);
      source = await Promise.race([isHeld.promise, reading.then(() => "memory" as const)]);
    } while (source === "memory");
    await revokeInSilence();
    process.forget(accountId);
    isReleased.resolve();
    await reading;
    expect((await read(process, wide)).caller.refusal).toBe("revoked");
  });

  it("ends with the key's expiry", async () => {
    const process = startProcess();
    await database.query("UPDATE api_key SET expires_at = now() + interval '2 s' WHERE id = $1", [
      keyId,
    ]);
    const changedAt = performance.now();
    for (let sent = 0; sent < 4_000; sent++) await read(process, wide);
    expect(await untilRefused(process, wide)).toBeLessThan(changedAt + 2_050);
  });
});
