import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { auditDatabase, auditFiles } from "@atelier/audit";
import { createAccount, createKey } from "@atelier/accounts";
import { topUp } from "@atelier/billing";
import { homeFiles, localInstallation } from "@atelier/configuration";
import { createDatabase } from "@atelier/database";
import { createStorage } from "@atelier/storage";
import { createRandom } from "../shared/random.ts";
import { startMembers } from "../shared/members.ts";
import { shareBudget } from "../shared/share-budget.ts";
import { percentile } from "../shared/statistics.ts";
import { startInstallation, type Installation, type Part } from "./installation.ts";
import { startLoad } from "./load.ts";

/**
 * Kills the API, the worker and the Postgres of `npm start` at random while clients generate images and batches, and
 * members lose rights. Fails when the service generates no image after a kill, when a client does not learn the
 * outcome of its request, when a member has a right or a job after it lost the right, or when the audit reports a
 * violation. The same seed kills in the same order.
 *
 * npm run test:kills -- [--kills 50] [--seed 1] [--json]
 */
const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "50" },
    seed: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
  },
});
const kills = Number(values.kills);
const seed = Number(values.seed);
const clients = 2;
/** Longer than the recovery of Postgres plus the worker's lock timeout on a busy machine. */
const patienceMs = 180_000;

const home = await mkdtemp(join(tmpdir(), "atelier-kills-"));
const installation = await startInstallation(home);
try {
  process.exitCode = (await run(installation)) ? 0 : 1;
} finally {
  await installation.stop();
  await rm(home, { recursive: true, force: true });
}

/** @returns whether all promises were kept. */
async function run(service: Installation): Promise<boolean> {
  const random = createRandom(seed);
  const {
    database_url,
    storage_url,
    key_pepper: pepper,
  } = localInstallation.parse(
    JSON.parse(await readFile(homeFiles(home).localInstallation, "utf8")),
  );
  const database = createDatabase({ url: database_url, poolSize: 2, applicationName: "kills" });
  await topUp(database, { accountId: service.accountId, amountMicroEur: 1_000_000_000n });
  await shareBudget(database, service.accountId);
  const accountId = await createAccount(database, { name: "with members" });
  await topUp(database, { accountId, amountMicroEur: 1_000_000_000n });
  const { key } = await createKey(database, { accountId, name: "of the operator", pepper });
  const members = startMembers({ url: service.url, key }, patienceMs);
  const load = startLoad({ service, clients, patienceMs });

  const recoveries: { readonly part: string; readonly tookMs: number }[] = [];
  const problems: string[] = [];
  for (let kill = 1; kill <= kills && problems.length === 0; kill += 1) {
    await delay(random.between(0, 2_000));
    const part = random.pick<Part>(["api", "worker", "postgres"]);
    service.kill(part);
    const startedAt = performance.now();
    const isRecovered = await load.probe();
    const tookMs = performance.now() - startedAt;
    recoveries.push({ part, tookMs });
    if (!isRecovered)
      problems.push(`no image within ${patienceMs / 1_000} s of the end of ${part}`);
    progress(`${kill} of ${kills}: ${part}, an image again after ${(tookMs / 1_000).toFixed(1)} s`);
  }
  const outcome = await load.settle();
  problems.push(...outcome.problems, ...(await members.stop(database)));

  const storage = await createStorage({
    url: storage_url,
    publicUrl: service.url,
    signingSecret: "nothing is signed with this, long as it has to be",
  });
  const findings = [
    ...(await auditDatabase(database)),
    ...(await auditFiles(database, storage, 1)),
  ];
  for (const { invariant, violations, examples } of findings) {
    if (violations > 0) problems.push(`${invariant} ${JSON.stringify(examples)}`);
  }
  await storage.close();
  await database.close();

  const times = recoveries.map(({ tookMs }) => tookMs);
  const result = {
    seed,
    kills: recoveries.length,
    images: outcome.images,
    batches: outcome.batches,
    ofMembers: members.requests(),
    recoveryP50Ms: percentile(times, 0.5),
    recoveryMaxMs: Math.max(...times),
    invariants: findings.length,
    problems,
  };
  if (values.json) process.stdout.write(`${JSON.stringify(result)}\n`);
  progress(
    `${result.kills} kills, ${result.images} images, ${result.batches} batches, ${result.ofMembers} requests of members who lost rights, back after ${(result.recoveryP50Ms / 1_000).toFixed(1)} s at the median and ${(result.recoveryMaxMs / 1_000).toFixed(1)} s at most; ${findings.length} invariants audited`,
  );
  for (const problem of problems) progress(`PROBLEM: ${problem}`);
  return problems.length === 0;
}

function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}
