import { parseArgs } from "node:util";
import { createDatabase } from "@atelier/database";
import { fillHistory, startExplainingPostgres, startStack } from "@atelier/testing";
import { median, percentile } from "../shared/statistics.ts";

/**
 * Measures the reads of the operators' console with 2,000,000 jobs of 10,000 accounts, a tenth of them of one, the
 * large account: statements, the rows that they read, and times, which include the logging of each plan.
 *
 * npm run bench -- console [--jobs N] [--accounts N] [--rounds N]
 */
const { values } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: "string", default: "2000000" },
    accounts: { type: "string", default: "10000" },
    rounds: { type: "string", default: "20" },
  },
});
const jobs = Number(values.jobs);
const rounds = Number(values.rounds);

/** First words of the accounts' names. */
const names = ["Mill", "Harbour", "Lantern", "Orchard"];

interface Sample {
  readonly job: string;
  readonly account: string;
  readonly sha256: string;
  readonly at: Date;
}

interface Cost {
  readonly statements: number;
  readonly rowsRead: number;
  readonly rowsReturned: number;
}

const postgres = await startExplainingPostgres();
try {
  let largeAccount = "";
  const stack = await startStack({
    postgresUrl: postgres.url,
    workers: 1,
    prepare: async (database) => {
      const [named] = await database.query<{ name: string }>("SELECT current_database() AS name");
      const url = new URL(postgres.url);
      url.pathname = named?.name ?? "";
      largeAccount = await fill(url.href);
    },
  });
  try {
    const cookie = await signIn(stack.adminUrl, stack.adminKey);
    const samples = await stack.database.query<Sample>(
      `SELECT generation.id AS job, account_id AS account, sha256, created_at AS at
         FROM generation TABLESAMPLE BERNOULLI (${Math.min(100, (rounds * 10_000) / jobs)})
         JOIN render ON generation_id = generation.id
         JOIN mark_file ON render_id = render.id
        ORDER BY random() LIMIT ${rounds}`,
    );
    const pages: Readonly<Record<string, (sample: Sample, round: number) => string>> = {
      "accounts, newest": () => "/accounts",
      "accounts by id": ({ account }) => `/accounts?q=${account}`,
      "accounts by the beginning of a word": (_, round) => `/accounts?q=${names[round % 4]}`,
      "accounts by two words, of one account": (_, round) =>
        `/accounts?q=mill+${Math.ceil(((round + 1) * Number(values.accounts)) / (rounds + 1))}`,
      "accounts by a word of none": () => "/accounts?q=absent",
      "an account": ({ account }) => `/accounts/${account}`,
      "the large account": () => `/accounts/${largeAccount}`,
      "jobs by id": ({ job }) => `/jobs?job=${job}`,
      "jobs by request id": (_, round) => `/jobs?request_id=request-${round + 1}`,
      "jobs by hash": ({ sha256 }) => `/jobs?sha256=${sha256}`,
      "jobs by time": ({ at }) => `/jobs?from=${at.toISOString()}`,
      "jobs of the large account": () => `/jobs?account_id=${largeAccount}`,
      "failed jobs of the large account (none)": () =>
        `/jobs?account_id=${largeAccount}&status=failed`,
      "transactions of the large account": () => `/accounts/${largeAccount}/transactions`,
      "a job": ({ job }) => `/jobs/${job}`,
      health: () => "/health",
    };
    process.stdout.write(
      "page | statements | rows read, most | rows returned | median ms | p95 ms\n--- | --- | --- | --- | --- | ---\n",
    );
    for (const [name, pathOf] of Object.entries(pages)) {
      const times: number[] = [];
      const costs: Cost[] = [];
      for (let round = 0; round < rounds; round++) {
        const sample = samples[round % samples.length];
        if (sample === undefined) throw new Error("there are no jobs to ask for");
        const since = await postgres.position();
        const started = performance.now();
        const response = await fetch(`${stack.adminUrl}/admin/v1${pathOf(sample, round)}`, {
          headers: { Cookie: cookie },
        });
        const body = await response.text();
        times.push(performance.now() - started);
        if (response.status !== 200) throw new Error(`${name}: ${response.status} ${body}`);
        costs.push(await readCost(since));
      }
      const figures = [
        // The API also runs statements of its own from time to time.
        median(costs.map(({ statements }) => statements)),
        Math.round(Math.max(...costs.map(({ rowsRead }) => rowsRead))),
        Math.max(...costs.map(({ rowsReturned }) => rowsReturned)),
        ...[median(times), percentile(times, 0.95)].map((ms) => ms.toFixed(1)),
      ];
      process.stdout.write(`${name} | ${figures.join(" | ")}\n`);
    }
  } finally {
    await stack.stop();
  }
} finally {
  await postgres.stop();
}

/** Fills a database with the history. @returns the account with a tenth of the jobs. */
async function fill(url: string): Promise<string> {
  const database = createDatabase({
    url,
    poolSize: 3,
    applicationName: "bench",
    statementTimeoutMs: 3_600_000,
  });
  const onProgress = (done: number) => process.stderr.write(`${done} jobs\n`);
  const share = { imagesKept: true, onProgress };
  const few = { accounts: 1, generations: jobs / 10 };
  const [largeId = ""] = await fillHistory(database, { ...share, ...few });
  const most = { accounts: Number(values.accounts), generations: jobs - jobs / 10 };
  await fillHistory(database, { ...share, ...most });
  await database.query(
    `UPDATE account SET name = ($1::text[])[1 + number % 4] || ' ' || number || ' Ltd'
       FROM (SELECT id, row_number() OVER (ORDER BY id) AS number FROM account) AS numbered
      WHERE numbered.id = account.id`,
    [names],
  );
  await database.query(
    `INSERT INTO mark (render_id, model, watermark_id)
     SELECT id, model, left(md5(id::text), 16) FROM render`,
  );
  await database.query(
    `INSERT INTO mark_file (sha256, render_id, format)
     SELECT encode(sha256(uuid_send(id)), 'hex'), id, 'png' FROM render`,
  );
  // The request ids of 1,000 jobs.
  await database.query(
    `UPDATE generation_search
        SET terms = terms || array_to_tsvector(ARRAY['request:' || left(encode(sha256(convert_to('request-' || number, 'UTF8')), 'hex'), 32)])
       FROM (SELECT account_id, id, row_number() OVER () AS number
               FROM generation TABLESAMPLE SYSTEM (1) LIMIT 1000) AS sample
      WHERE generation_search.account_id = sample.account_id AND generation_id = sample.id`,
  );
  // Calls of the last hour, and the last use of accounts.
  await database.query(
    `UPDATE provider_call SET started_at = now() - interval '1 minute', finished_at = now()
      WHERE id IN (SELECT id FROM provider_call ORDER BY id DESC LIMIT 20000)`,
  );
  await database.query("VACUUM ANALYZE");
  await database.close();
  return largeId;
}

async function signIn(url: string, key: string): Promise<string> {
  const response = await fetch(`${url}/admin/v1/session`, {
    method: "POST",
    headers: { Origin: url, "Content-Type": "application/json" },
    body: JSON.stringify({ key }),
  });
  return response.headers.get("Set-Cookie")?.split(";")[0] ?? "";
}

async function readCost(since: number): Promise<Cost> {
  const statements = (await postgres.readStatements(since)).filter(
    ({ application }) => application === "atelier-api",
  );
  const sum = (of: (statement: (typeof statements)[0]) => number) =>
    statements.reduce((total, statement) => total + of(statement), 0);
  return {
    statements: statements.length,
    rowsRead: sum(({ rowsRead }) => rowsRead),
    rowsReturned: sum(({ rowsReturned }) => rowsReturned),
  };
}
