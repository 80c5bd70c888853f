import { createSharedBudget } from "@atelier/billing";
import { acceptGeneration } from "@atelier/generations/accept";
import { atPrice, makeImagePlan } from "@atelier/generations/testing";
import { createDatabase, newId } from "@atelier/database";
import { createTestDatabase, workPerRun, type BackendWork } from "@atelier/local-services";
import { startServices } from "../shared/start-services.ts";
import { median } from "../shared/statistics.ts";
import { readProcessTime } from "./process-time.ts";

/**
 * Measures what a shared budget costs the statement that accepts a job: time, CPU time of this process and of
 * Postgres, and what Postgres counts, which has no noise: records and bytes of its log, and pages. With a key in a
 * budget and with one in none, in alternating rounds.
 *
 * npm run bench -- budgets
 */
const rounds = 20;
const jobsPerRound = 300;

const services = await startServices("budgets");
try {
  const own = await createTestDatabase(services.postgresUrl);
  const database = createDatabase({ url: own.url, poolSize: 1, applicationName: "bench" });
  const [backend] = await database.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const accountId = newId();
  await database.query(
    "INSERT INTO account (id, name, balance_micro_eur) VALUES ($1, 'bench', 1000000000000)",
    [accountId],
  );
  const budgetId = newId();
  const budget = { id: budgetId, accountId, name: "bench", period: "month" } as const;
  await createSharedBudget(database, { ...budget, budgetMicroEur: 10n ** 12n });
  const ways = [
    { name: "no budget", budgetId: null },
    { name: "shared budget", budgetId },
  ].map((way) => ({
    ...way,
    keyId: newId(),
    tookMs: [] as number[],
    cpuMs: [] as number[],
    work: [] as BackendWork[],
  }));
  for (const way of ways) {
    await database.query(
      `INSERT INTO api_key (id, account_id, name, hash, last_four, budget_id)
       VALUES ($1, $2, $3, $4, 'test', $5)`,
      [way.keyId, accountId, way.name, Buffer.from(way.keyId), way.budgetId],
    );
  }
  const plan = { ...makeImagePlan({ model: "m", lane: "l" }), price: atPrice(10n) };
  const cpuTime = async () =>
    process.cpuUsage().user / 1e6 +
    process.cpuUsage().system / 1e6 +
    (await readProcessTime(backend?.pid ?? 0));
  for (let round = 0; round <= rounds; round++) {
    for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
      const before = await cpuTime();
      const startedAt = performance.now();
      const { keyId } = way;
      const work = await workPerRun(database, jobsPerRound, () =>
        acceptGeneration(database, {
          accountId,
          keyId,
          plan,
          deadlineMs: 60_000,
          maxUnfinishedJobs: 1_000_000,
          idempotency: null,
        }),
      );
      // The first round warms up.
      if (round === 0) continue;
      way.tookMs.push((performance.now() - startedAt) / jobsPerRound);
      way.work.push(work);
      way.cpuMs.push((((await cpuTime()) - before) * 1_000) / jobsPerRound);
    }
  }
  for (const { name, tookMs, cpuMs, work } of ways) {
    const [time, cpu] = [median(tookMs), median(cpuMs)].map((value) => value.toFixed(3));
    const counts = (["walRecords", "walBytes", "buffers"] as const).map((count) =>
      median(work.map((one) => one[count])).toFixed(1),
    );
    const [records, bytes, pages] = counts;
    process.stdout.write(
      `${name}: ${time} ms a job, ${cpu} ms of CPU time, ${records} records and ${bytes} bytes of WAL, ${pages} pages\n`,
    );
  }
  await database.close();
  await own.drop();
} finally {
  await services.stop();
}
