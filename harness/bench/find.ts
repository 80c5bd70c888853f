import { parseArgs } from "node:util";
import { createDatabase } from "@atelier/database";
import { explainJob, findJobs, type JobClue } from "@atelier/generations/inspect";
import { createTestDatabase } from "@atelier/local-services";
import { fillHistory } from "@atelier/testing";
import { median, percentile } from "../shared/statistics.ts";
import { startServices } from "../shared/start-services.ts";

/**
 * Measures `atelier find` by each clue and `atelier jobs explain` in a database of 2,000,000 jobs of 1,000 accounts.
 *
 * npm run bench -- find [--jobs N] [--rounds N]
 */
const { values } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: "string", default: "2000000" },
    rounds: { type: "string", default: "20" },
  },
});
const generations = Number(values.jobs);
const rounds = Number(values.rounds);

const services = await startServices("bench-find", { max_wal_size: "8GB" });
try {
  const { url } = await createTestDatabase(services.postgresUrl);
  const database = createDatabase({
    url,
    poolSize: 3,
    applicationName: "bench",
    statementTimeoutMs: 3_600_000,
  });
  await fillHistory(database, {
    accounts: 1_000,
    generations,
    imagesKept: true,
    // A word of one job in 100, and one of each job.
    word: "'harbour' || ($2::int + number) % 100 || ' unique' || $2::int + number",
    onProgress: (done) => process.stderr.write(`${done} jobs\n`),
  });
  await database.query(
    `WITH marked AS (
       INSERT INTO mark (render_id, model, watermark_id)
       SELECT id, model, left(md5(id::text), 16) FROM render RETURNING render_id
     ) SELECT count(*) FROM marked`,
  );
  await database.query(
    `INSERT INTO mark_file (sha256, render_id, format)
     SELECT encode(sha256(uuid_send(id)), 'hex'), id, 'png' FROM render`,
  );
  // The request ids of 1,000 jobs.
  await database.query(
    `UPDATE generation_search SET terms = terms || array_to_tsvector(ARRAY['request:' || left(encode(sha256(convert_to('request-' || number, 'UTF8')), 'hex'), 32)])
       FROM (SELECT account_id, id, row_number() OVER () AS number
               FROM generation TABLESAMPLE SYSTEM (1) LIMIT 1000) AS sample
      WHERE generation_search.account_id = sample.account_id AND generation_id = sample.id`,
  );
  await database.query("VACUUM ANALYZE");
  const samples = await database.query<{ id: string; renderId: string; at: Date }>(
    `SELECT generation.id, render.id AS "renderId", created_at AS at
       FROM generation TABLESAMPLE BERNOULLI (${Math.min(100, (rounds * 10_000) / generations)}) JOIN render ON generation_id = generation.id
      ORDER BY random() LIMIT ${rounds}`,
  );
  const hourMs = 3_600_000;
  const sampleOf = (round: number) => samples[round % samples.length] as (typeof samples)[0];
  const clues: Record<string, (round: number) => JobClue> = {
    "--job": (round) => ({ by: "job", id: sampleOf(round).id }),
    "--file": (round) => ({ by: "render", id: sampleOf(round).renderId }),
    "--hash": (round) => ({ by: "hash", sha256: hashOf.get(sampleOf(round).renderId) ?? "" }),
    "--watermark": (round) => ({
      by: "watermark",
      id: markOf.get(sampleOf(round).renderId) ?? "",
    }),
    "--request-id": (round) => ({ by: "request-id", id: `request-${round + 1}` }),
    "--from --to, an hour": (round) => range(round, hourMs, ""),
    "--from --to --text, an hour, 1% of the jobs": (round) =>
      range(round, hourMs, `harbour${round}`),
    "--from --to --text, 30 days, 1% of the jobs": (round) =>
      range(round, 720 * hourMs, `harbour${round}`),
    "--from --to --text, 30 days, one job": (round) =>
      range(round, 720 * hourMs, `unique${1 + Math.floor((round * generations) / rounds)}`),
    "--from --to --text, 30 days, all jobs": (round) => range(round, 720 * hourMs, "lighthouse"),
    "--from --to --text, 30 days, no job": (round) => range(round, 720 * hourMs, "absent"),
  };
  const marks = await database.query<{ id: string; sha256: string; mark: string }>(
    `SELECT mark.render_id AS id, sha256, watermark_id AS mark
       FROM mark JOIN mark_file ON mark_file.render_id = mark.render_id WHERE mark.render_id = ANY ($1)`,
    [samples.map(({ renderId }) => renderId)],
  );
  const hashOf = new Map(marks.map(({ id, sha256 }) => [id, sha256]));
  const markOf = new Map(marks.map(({ id, mark }) => [id, mark]));

  process.stdout.write("clue | median ms | p95 ms | jobs found\n--- | --- | --- | ---\n");
  for (const [name, clueOf] of Object.entries(clues)) {
    await measure(name, async (round) => {
      const { jobs } = await findJobs(database, clueOf(round), 20);
      return jobs.length;
    });
  }
  await measure("jobs explain", async (round) => {
    const events = await explainJob(database, sampleOf(round).id);
    return events === null ? 0 : 1;
  });
  await database.close();

  function range(round: number, lengthMs: number, text: string): JobClue {
    const { at } = sampleOf(round);
    const from = lengthMs > 24 * hourMs ? new Date(Date.now() - lengthMs) : at;
    return { by: "time", from, to: new Date(from.getTime() + lengthMs), text };
  }
} finally {
  await services.stop();
}

/** Prints the times of some rounds, each with other values. */
async function measure(name: string, run: (round: number) => Promise<number>): Promise<void> {
  const times: number[] = [];
  let found = 0;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    found += await run(round);
    times.push(performance.now() - start);
  }
  const figures = [median(times), percentile(times, 0.95)].map((ms) => ms.toFixed(1));
  process.stdout.write(`${name} | ${figures.join(" | ")} | ${found}\n`);
}
