import { auditDatabase } from "@atelier/audit";
import {
  exportTransfers,
  listTransactions,
  readStatement,
  readUsage,
  refundJob,
  topUp,
  type ChargedJob,
} from "@atelier/billing";
import { newId } from "@atelier/database";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTotalsReader } from "../jobs/totals.ts";
import { imagesOf, losingResponses, openFixture, type Fixture } from "../testing/fixture.ts";
import { finishRender } from "./finish.ts";

const price = 50_000n;
const readTotals = createTotalsReader();
const audited = ["refund", "balances equal", "sum to zero", "spent amount", "one settle"];

describe("refunding a job", () => {
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await openFixture();
  });

  afterAll(() => fixture.close());

  /** A completed job of a new account with 10 EUR, whose key has a budget. */
  async function complete() {
    const accountId = await fixture.makeAccount(0n);
    await topUp(fixture.database, { accountId, amountMicroEur: 10_000_000n });
    const job = await fixture.accept({ accountId });
    const claim = await fixture.claim(job.renders[0]);
    await finishRender(fixture.database, claim, imagesOf(claim), { callId: newId() });
    return job;
  }

  const refund = (
    { generationId }: { readonly generationId: string },
    amountMicroEur: bigint | null,
    reference = newId(),
    database: Pick<Fixture["database"], "query" | "transaction"> = fixture.database,
  ) => refundJob(database, { generationId, amountMicroEur, reference }, async () => archived);

  /** The job that the archive has, if the tables do not. */
  let archived: ChargedJob | null = null;

  async function broken(): Promise<string[]> {
    const findings = await auditDatabase(fixture.database);
    return findings.flatMap(({ invariant, violations }) =>
      violations > 0 && audited.some((part) => invariant.includes(part)) ? [invariant] : [],
    );
  }

  it("returns the rest of the charge, once per reference", async () => {
    const job = await complete();
    expect(await refund(job, 20_000n, "complaint 1")).toMatchObject({
      booked: true,
      amountMicroEur: 20_000n,
      balanceMicroEur: 9_970_000n,
    });
    expect(await refund(job, null, "complaint 2")).toMatchObject({
      booked: true,
      amountMicroEur: 30_000n,
      refundedMicroEur: price,
      balanceMicroEur: 10_000_000n,
    });
    expect(await refund(job, null, "complaint 2")).toMatchObject({
      booked: false,
      amountMicroEur: 30_000n,
      balanceMicroEur: 10_000_000n,
    });
    await expect(refund(job, 10_000n, "complaint 2")).rejects.toThrow("was already used");
    await expect(refund(await complete(), null, "complaint 1")).resolves.toMatchObject({
      booked: true,
    });
    await expect(refund(job, null)).rejects.toThrow("at most 0.00 EUR");
    expect(await broken()).toEqual([]);
  });

  it("books a refund once when the response to its commit is lost", async () => {
    const job = await complete();
    const lossy = losingResponses(fixture.database);
    expect(await refund(job, 10_000n, "lost", lossy)).toMatchObject({
      booked: true,
      refundedMicroEur: 10_000n,
    });
    expect((await fixture.stateOf(job)).available).toBe(9_960_000n);
  });

  it("refuses jobs without a charge, references of other movements and amounts that are not positive", async () => {
    const unfinished = await fixture.accept({ accountId: (await complete()).accountId });
    await expect(refund(unfinished, null)).rejects.toThrow("at most 0.00 EUR");
    await expect(refund({ generationId: newId() }, null)).rejects.toThrow("does not exist");
    const job = await complete();
    const { accountId } = job;
    await topUp(fixture.database, { accountId, amountMicroEur: 1n, reference: "invoice 7" });
    await expect(refund(job, null, "invoice 7")).rejects.toThrow("was already used");
    await expect(refund(job, 0n)).rejects.toThrow("more than 0");
    await refund(job, 1n, "complaint 7");
    const reused = topUp(fixture.database, {
      accountId,
      amountMicroEur: 2n,
      reference: "complaint 7",
    });
    await expect(reused).rejects.toThrow("was already used");
  });

  it("never returns more than the charge, whatever is requested at once, repeated or interrupted", async () => {
    const jobs = [await complete(), await complete()];
    const request = fc.record({
      job: fc.nat({ max: 1 }),
      amount: fc.option(fc.bigInt({ min: 1n, max: 60_000n })),
      reference: fc.nat({ max: 8 }),
      isLost: fc.boolean(),
    });
    const expected = new Map<string, bigint>();
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 6 }), async (requests) => {
        await Promise.all(
          requests.map(async ({ job: index, amount, reference, isLost }) => {
            const job = jobs[index] ?? { generationId: newId(), accountId: "" };
            const database = isLost ? losingResponses(fixture.database) : fixture.database;
            const result = await refund(job, amount, `r${reference}`, database).catch(
              (error: unknown) => {
                if (!(error instanceof RangeError)) throw error;
                return null;
              },
            );
            if (result?.booked === true) {
              const before = expected.get(job.generationId) ?? 0n;
              expected.set(job.generationId, before + result.amountMicroEur);
            }
          }),
        );
        for (const job of jobs) {
          const returned = expected.get(job.generationId) ?? 0n;
          expect(returned).toBeLessThanOrEqual(price);
          expect((await fixture.stateOf(job)).available).toBe(10_000_000n - price + returned);
        }
      }),
      { numRuns: 12 },
    );
    expect(await broken()).toEqual([]);
  });

  it("is in transactions, statement, usage and export, and leaves charge, budget and metric", async () => {
    const job = await complete();
    const { accountId, generationId } = job;
    const chargedBefore = (await readTotals(fixture.database)).chargedMicroEur;
    const spentOf = () =>
      fixture.database.query("SELECT spent_micro_eur FROM api_key WHERE id = $1", [accountId]);
    const spent = await spentOf();
    await refund(job, 20_000n, "complaint 9");
    const page = { accountId, beforeId: null, limit: 10 };
    const [newest] = await listTransactions(fixture.database, page);
    const shown = { kind: "refund", generationId, reference: "complaint 9" };
    expect(newest).toMatchObject({ ...shown, amountMicroEur: 20_000n, keyId: accountId });
    const [line] = await readStatement(fixture.database, { accountId, limit: 1 });
    expect(line).toMatchObject({
      ...shown,
      chargedMicroEur: -20_000n,
      balanceMicroEur: 9_970_000n,
    });
    const exported = await exportTransfers(fixture.database, { accountId, after: null, limit: 10 });
    expect(exported.at(-1)).toMatchObject(shown);
    const day = new Date().toISOString().slice(0, 10);
    const groups = { day, model: "test-model", key: accountId, kind: "image" } as const;
    for (const [groupBy, group] of Object.entries(groups)) {
      const usage = await readUsage(fixture.database, {
        accountId,
        mode: "live",
        range: { from: day, to: day },
        groupBy: groupBy as keyof typeof groups,
        maxJobs: 10,
      });
      const sums = { jobs: 1, chargedMicroEur: price, refundedMicroEur: 20_000n };
      expect(usage).toMatchObject([{ group, ...sums }]);
    }
    expect(await spentOf()).toEqual(spent);
    expect((await fixture.stateOf(job)).charged).toBe(price);
    expect((await readTotals(fixture.database)).chargedMicroEur).toBe(chargedBefore);
    expect(await broken()).toEqual([]);
  });

  it("is found by the audit when it is more than the charge or has no transfer", async () => {
    const { accountId, generationId } = await complete();
    await fixture.database.transaction(async (sql) => {
      await sql.query("SET LOCAL session_replication_role = replica");
      await sql.query(
        `INSERT INTO refund (transfer_id, account_id, generation_id, amount_micro_eur, model, kind)
         VALUES ($1, $2, $3, 50001, 'm', 'image')`,
        [newId(), accountId, generationId],
      );
    });
    expect(await broken()).toEqual([expect.stringContaining("refunds of a job")]);
    const change = fixture.database.query("DELETE FROM refund");
    await expect(change).rejects.toThrow("never change");
  });

  it("is the same refund after its job was archived, and the rest of the charge can be refunded", async () => {
    const job = await complete();
    const { accountId, generationId } = job;
    await refund(job, 20_000n, "before the archive");
    await removeRows(generationId);
    for (const amount of [20_000n, null]) {
      expect(await refund(job, amount, "before the archive")).toMatchObject({
        booked: false,
        amountMicroEur: 20_000n,
        refundedMicroEur: 20_000n,
        chargedMicroEur: price,
        balanceMicroEur: 9_970_000n,
      });
    }
    await expect(refund(job, 1n, "before the archive")).rejects.toThrow("was already used");
    await expect(refund(job, 30_001n)).rejects.toThrow("at most 0.03 EUR");
    expect(await refund(job, null)).toMatchObject({ amountMicroEur: 30_000n });
    const day = new Date().toISOString().slice(0, 10);
    const usage = await readUsage(fixture.database, {
      accountId,
      mode: "live",
      range: { from: day, to: day },
      groupBy: "key",
      maxJobs: 10,
    });
    expect(usage).toMatchObject([{ group: accountId, refundedMicroEur: price }]);
  });

  it("is booked once when the first refund of a job follows its archiving, whatever is requested at once", async () => {
    const job = await complete();
    const { accountId, generationId } = job;
    await removeRows(generationId);
    await expect(refund(job, null)).rejects.toThrow("does not exist, or is archived and");
    archived = { accountId, keyId: accountId, budgetId: null, model: "test-model", kind: "image" };
    const results = await Promise.allSettled([
      refund(job, null, "same", losingResponses(fixture.database)),
      refund(job, null, "same"),
      refund(job, null, "other"),
      refund(job, 1n, "third"),
    ]);
    archived = null;
    const booked = results.flatMap((result) =>
      result.status === "fulfilled" && result.value.booked ? [result.value.amountMicroEur] : [],
    );
    expect(booked.reduce((sum, amount) => sum + amount, 0n)).toBe(price);
    const [account] = await fixture.database.query<{ balance: bigint }>(
      "SELECT balance_micro_eur AS balance FROM account WHERE id = $1",
      [accountId],
    );
    expect(account?.balance).toBe(10_000_000n);
    const [newest] = await listTransactions(fixture.database, {
      accountId,
      beforeId: null,
      limit: 1,
    });
    expect(newest).toMatchObject({ kind: "refund", generationId, keyId: accountId });
  });

  /** As `archive` does. */
  async function removeRows(generationId: string): Promise<void> {
    for (const text of [
      "DELETE FROM image WHERE render_id IN (SELECT id FROM render WHERE generation_id = $1)",
      "DELETE FROM provider_call WHERE render_id IN (SELECT id FROM render WHERE generation_id = $1)",
      "DELETE FROM render WHERE generation_id = $1",
      "DELETE FROM generation WHERE id = $1",
    ]) {
      await fixture.database.query(text, [generationId]);
    }
  }
});
