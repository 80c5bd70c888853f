import { createDatabase, newId, statement, type Database } from "@atelier/database";
import { createTestDatabase, type TestDatabase } from "@atelier/local-services";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { BookingError, insufficientCredit, topUp, withdraw } from "./ledger.ts";
import { bookHold, bookResolution, releaseHeld, setAside } from "./ledger-sql.ts";
import { readStatement } from "./statement.ts";

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject("postgresUrl"));
  database = createDatabase({ url: testDatabase.url, poolSize: 10, applicationName: "test" });
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

async function makeAccount(balanceMicroEur = 0n): Promise<string> {
  const id = newId();
  await database.query("INSERT INTO account (id, name) VALUES ($1, 'test')", [id]);
  if (balanceMicroEur > 0n) {
    await topUp(database, { accountId: id, amountMicroEur: balanceMicroEur });
  }
  return id;
}

async function makeGeneration(accountId: string): Promise<string> {
  const id = newId();
  await database.query(
    `INSERT INTO generation (id, account_id, kind, model, request, strictness, price_micro_eur, renders_total, deadline_at)
     VALUES ($1, $2, 'image', 'test', '{}', 'normal', 0, 1, now())`,
    [id, accountId],
  );
  return id;
}

/** Books a hold as accepting a generation does; false when the balance is too small. */
async function hold(values: {
  readonly accountId: string;
  readonly generationId: string;
  readonly amountMicroEur: bigint;
}): Promise<boolean> {
  const debited = await database.query(...insertHold.bind({ transferId: newId(), ...values }));
  return debited.length > 0;
}

const insertHold = statement(
  ["transferId", "accountId", "generationId", "amountMicroEur"],
  `WITH debited AS (
     UPDATE account SET ${setAside(":amountMicroEur::bigint")}
      WHERE id = :accountId AND balance_micro_eur >= :amountMicroEur::bigint RETURNING id
   ), source AS (
     SELECT :transferId::uuid AS transfer_id, id AS account_id, :generationId::uuid AS generation_id,
            :amountMicroEur::bigint AS amount FROM debited
   ), ${bookHold("source")}
   SELECT id FROM debited`,
);

/** Resolves a hold as ending a generation does. */
async function resolve(
  kind: "settle" | "release",
  { generationId, chargeMicroEur }: { generationId: string; chargeMicroEur: bigint },
): Promise<bigint | undefined> {
  const [account] = await database.query<{ balance: bigint }>(
    `WITH ending AS (
       SELECT $1::uuid AS transfer_id, $2::uuid AS generation_id, $3::bigint AS charge
     ), ${bookResolution(kind, "ending")}
     UPDATE account SET ${releaseHeld} FROM resolved WHERE account.id = resolved.account_id
     RETURNING balance_micro_eur AS balance`,
    [newId(), generationId, chargeMicroEur],
  );
  return account?.balance;
}

const settle = (values: { generationId: string; chargeMicroEur: bigint }) =>
  resolve("settle", values);
const release = (values: { generationId: string }) =>
  resolve("release", { ...values, chargeMicroEur: 0n });

async function balancesOf(accountId: string) {
  const [row] = await database.query<{ available: bigint; held: bigint }>(
    "SELECT balance_micro_eur AS available, held_micro_eur AS held FROM account WHERE id = $1",
    [accountId],
  );
  return row;
}

async function sumsOf(accountId: string) {
  const [row] = await database.query<{ available: bigint; held: bigint; all: bigint }>(
    `SELECT coalesce(sum(amount_micro_eur) FILTER (WHERE book = 'available'), 0)::bigint AS available,
            coalesce(sum(amount_micro_eur) FILTER (WHERE book = 'held'), 0)::bigint AS held,
            coalesce(sum(amount_micro_eur), 0)::bigint AS all
       FROM ledger_entry WHERE account_id = $1`,
    [accountId],
  );
  return row;
}

describe("the ledger", () => {
  it("books a top-up once per reference", async () => {
    const accountId = await makeAccount();
    const booking = { accountId, amountMicroEur: 5n, reference: "invoice 7" };
    expect(await topUp(database, booking)).toBe(true);
    expect(await topUp(database, booking)).toBe(false);
    await expect(topUp(database, { ...booking, amountMicroEur: 6n })).rejects.toThrow(RangeError);
    expect(await balancesOf(accountId)).toEqual({ available: 5n, held: 0n });
  });

  it("lists an account's transfers, newest first, with the balance after each", async () => {
    const accountId = await makeAccount();
    await topUp(database, { accountId, amountMicroEur: 100n, reference: "invoice 7" });
    const generationId = await makeGeneration(accountId);
    await hold({ accountId, generationId, amountMicroEur: 60n });
    const failed = await makeGeneration(accountId);
    await hold({ accountId, generationId: failed, amountMicroEur: 30n });
    await settle({ generationId, chargeMicroEur: 40n });
    await release({ generationId: failed });
    await makeAccount(50n);

    const lines = await readStatement(database, { accountId, limit: 10 });
    expect(
      lines.map((line) => [
        line.kind,
        line.availableMicroEur,
        line.heldMicroEur,
        line.chargedMicroEur,
        line.balanceMicroEur,
        line.generationId ?? line.reference,
      ]),
    ).toEqual([
      ["release", 30n, -30n, 0n, 60n, failed],
      ["settle", 20n, -60n, 40n, 30n, generationId],
      ["hold", -30n, 30n, 0n, 10n, failed],
      ["hold", -60n, 60n, 0n, 40n, generationId],
      ["top_up", 100n, 0n, 0n, 100n, "invoice 7"],
    ]);
    expect(await readStatement(database, { accountId, limit: 2 })).toEqual(lines.slice(0, 2));
  });

  it("books a withdrawal once per reference, up to the available balance", async () => {
    const accountId = await makeAccount(100n);
    const generationId = await makeGeneration(accountId);
    await hold({ accountId, generationId, amountMicroEur: 60n });
    const booking = { accountId, amountMicroEur: 30n, reference: "refund 7" };
    expect(await withdraw(database, booking)).toBe(true);
    expect(await withdraw(database, booking)).toBe(false);
    await expect(withdraw(database, { accountId, amountMicroEur: 11n })).rejects.toThrow(
      new BookingError("balance_too_small", "the balance is smaller than the amount"),
    );
    await expect(topUp(database, booking)).rejects.toThrow(/already used/);
    await expect(withdraw(database, { accountId, amountMicroEur: -1n })).rejects.toThrow(
      RangeError,
    );
    expect(await balancesOf(accountId)).toEqual({ available: 10n, held: 60n });
    expect(await sumsOf(accountId)).toEqual({ available: 10n, held: 60n, all: 0n });
  });

  it("reports the required amount and the balance when the credit is too small", () => {
    const amounts = { requiredMicroEur: 40_000n, balanceMicroEur: 30_000n };
    expect(insufficientCredit(amounts)).toMatchObject({
      code: "insufficient_credit",
      details: { required_eur: "0.04", balance_eur: "0.03" },
    });
  });

  it("never overdraws an account with concurrent holds", async () => {
    const accountId = await makeAccount(70n);
    const generations = await Promise.all(
      Array.from({ length: 20 }, () => makeGeneration(accountId)),
    );
    const results = await Promise.all(
      generations.map((generationId) => hold({ accountId, generationId, amountMicroEur: 10n })),
    );
    expect(results.filter(Boolean)).toHaveLength(7);
    expect(await balancesOf(accountId)).toEqual({ available: 0n, held: 70n });
  });

  it("resolves a hold once when two resolutions race", async () => {
    const accountId = await makeAccount(100n);
    for (const second of ["settle", "release"] as const) {
      const generationId = await makeGeneration(accountId);
      await hold({ accountId, generationId, amountMicroEur: 10n });
      const attempts = await Promise.allSettled([
        settle({ generationId, chargeMicroEur: 10n }),
        second === "settle"
          ? settle({ generationId, chargeMicroEur: 10n })
          : release({ generationId }),
      ]);
      expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    }
    expect((await balancesOf(accountId))?.held).toBe(0n);
  });

  it("refuses to settle more than was held", async () => {
    const accountId = await makeAccount(100n);
    const generationId = await makeGeneration(accountId);
    await hold({ accountId, generationId, amountMicroEur: 10n });
    await expect(settle({ generationId, chargeMicroEur: 11n })).rejects.toThrow();
    expect(await settle({ generationId, chargeMicroEur: 4n })).toBe(96n);
  });

  it.each([
    "UPDATE ledger_entry SET amount_micro_eur = 1",
    "DELETE FROM ledger_entry",
    "TRUNCATE ledger_entry",
    "UPDATE ledger_transfer SET reference = 'x'",
    "DELETE FROM ledger_transfer",
    "UPDATE hold SET amount_micro_eur = 1",
    "DELETE FROM hold",
  ])("refuses in the database itself: %s", async (sql) => {
    await expect(database.query(sql)).rejects.toThrow(/not allowed|cannot truncate/);
  });

  it("refuses entries that do not sum to zero, enforced by the database", async () => {
    const accountId = await makeAccount(1n);
    const [transfer] = await database.query<{ id: string }>(
      "SELECT id FROM ledger_transfer WHERE account_id = $1",
      [accountId],
    );
    await expect(
      database.query("INSERT INTO ledger_entry VALUES ($1, 'revenue', $2, 1)", [
        transfer?.id,
        accountId,
      ]),
    ).rejects.toThrow(/does not sum to zero/);
  });

  it("matches a model for any sequence of movements", async () => {
    const movement = fc.oneof(
      fc.record({ kind: fc.constant("top-up"), amount: fc.bigInt({ min: 1n, max: 1_000n }) }),
      fc.record({ kind: fc.constant("withdrawal"), amount: fc.bigInt({ min: 1n, max: 600n }) }),
      fc.record({ kind: fc.constant("hold"), amount: fc.bigInt({ min: 0n, max: 600n }) }),
      fc.record({ kind: fc.constant("settle"), amount: fc.bigInt({ min: 0n, max: 700n }) }),
      fc.record({ kind: fc.constant("release"), amount: fc.constant(0n) }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(movement, { maxLength: 25 }),
        fc.infiniteStream(fc.nat()),
        async (movements, picks) => {
          const accountId = await makeAccount();
          const model = { available: 0n, held: 0n, charged: 0n };
          const open: { generationId: string; amount: bigint }[] = [];
          for (const { kind, amount } of movements) {
            if (kind === "top-up") {
              await topUp(database, { accountId, amountMicroEur: amount });
              model.available += amount;
            } else if (kind === "withdrawal") {
              const withdrawal = withdraw(database, { accountId, amountMicroEur: amount });
              if (amount > model.available) {
                await expect(withdrawal).rejects.toThrow(RangeError);
                continue;
              }
              expect(await withdrawal).toBe(true);
              model.available -= amount;
            } else if (kind === "hold") {
              const generationId = await makeGeneration(accountId);
              const held = await hold({ accountId, generationId, amountMicroEur: amount });
              expect(held).toBe(amount <= model.available);
              if (held) {
                model.available -= amount;
                model.held += amount;
                open.push({ generationId, amount });
              }
            } else {
              const index = (picks.next().value ?? 0) % Math.max(open.length, 1);
              const held = open[index];
              if (held === undefined) continue;
              const { generationId } = held;
              if (kind === "settle" && amount > held.amount) {
                await expect(settle({ generationId, chargeMicroEur: amount })).rejects.toThrow();
                continue;
              }
              const charge = kind === "settle" ? amount : 0n;
              const balance =
                kind === "settle"
                  ? await settle({ generationId, chargeMicroEur: charge })
                  : await release({ generationId });
              open.splice(index, 1);
              model.held -= held.amount;
              model.available += held.amount - charge;
              model.charged += charge;
              expect(balance).toBe(model.available);
            }
          }
          const { available, held } = model;
          expect(await balancesOf(accountId)).toEqual({ available, held });
          expect(await sumsOf(accountId)).toEqual({ available, held, all: 0n });
        },
      ),
      { numRuns: 40 },
    );
  });
});
