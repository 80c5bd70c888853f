import { createHash } from "node:crypto";
import { openRegistry } from "@atelier/generations";
import pg from "pg";
import { openBenchDatabase } from "../shared/bench-database.ts";
import { percentile } from "../shared/statistics.ts";

/**
 * Measures lookups in a large registry, for `POST /verify`:
 *
 * npm run bench -- registry [rows]
 *
 * Perceptual hashes are random. Those that are looked up differ from a registered one in 0 to 15 bits,
 * the limit of a search by look, or from all of them in about half of the bits.
 */
const rows = Number(process.argv[3] ?? 1_000_000);
const batch = 50_000;
const lookups = 400;
const indexName = "mark_hash_slices_idx";

/** Row `n` has the SHA-256 of `n` as its file hash and as its perceptual hash. */
const insertRows = `
  WITH row AS MATERIALIZED (
    SELECT uuidv7() AS id, n, encode(sha256(convert_to(n::text, 'UTF8')), 'hex') AS hash
      FROM generate_series($1::int, $1::int + $2::int - 1) AS n
  ), files AS (
    INSERT INTO mark_file (sha256, render_id, format) SELECT hash, id, 'png' FROM row
  )
  INSERT INTO mark (render_id, model, watermark_id, perceptual_hash)
  SELECT id, 'bench', lpad(to_hex(n), 16, '0'), ('x' || hash)::bit(256) FROM row`;

const bench = await openBenchDatabase();
const { database } = bench;
try {
  const [index] = await database.query<{ definition: string }>(
    "SELECT indexdef AS definition FROM pg_indexes WHERE indexname = $1",
    [indexName],
  );
  await database.query(`DROP INDEX ${indexName}`);
  for (let from = 0; from < rows; from += batch) {
    await database.query(insertRows, [from, Math.min(batch, rows - from)]);
    process.stderr.write(`${Math.min(rows, from + batch)} of ${rows} rows\n`);
  }
  await prepareTables(index?.definition ?? "");
  process.stdout.write(
    `${rows} rows\n| lookup | p50 ms | p95 ms | found |\n| --- | --: | --: | --: |\n`,
  );
  const registry = openRegistry(database, null);
  await measure("file hash", (n) => registry.findByFileHash(hashOf(n)));
  await measure("watermark", (n) =>
    registry.findByWatermark(n.toString(16).padStart(16, "0"), hashOf(n)),
  );
  for (const distance of [0, 8, 15]) {
    await measure(`look, ${distance} of 256 bits differ`, (n) =>
      registry.findByLook(changeBits(hashOf(n), distance)),
    );
  }
  await measure("look, unrelated", (n) => registry.findByLook(hashOf(-1 - n)));
} finally {
  await bench.close();
}

/** Over a connection of its own: the time-outs of the service are too short for this. */
async function prepareTables(indexDefinition: string): Promise<void> {
  const client = new pg.Client({ connectionString: bench.url });
  await client.connect();
  try {
    await client.query("SET maintenance_work_mem = '512MB'");
    for (const statement of [indexDefinition, "VACUUM ANALYZE mark", "VACUUM ANALYZE mark_file"]) {
      await client.query(statement);
    }
  } finally {
    await client.end();
  }
}

async function measure(name: string, find: (row: number) => Promise<unknown>): Promise<void> {
  const tookMs: number[] = [];
  let found = 0;
  for (let round = 0; round < lookups; round++) {
    const row = (round * 7_919) % rows;
    const startedAt = performance.now();
    if ((await find(row)) !== null) found++;
    tookMs.push(performance.now() - startedAt);
  }
  const [p50, p95] = [percentile(tookMs, 0.5), percentile(tookMs, 0.95)];
  process.stdout.write(
    `| ${name} | ${p50.toFixed(1)} | ${p95.toFixed(1)} | ${found} of ${lookups} |\n`,
  );
}

function hashOf(row: number): string {
  return createHash("sha256").update(String(row)).digest("hex");
}

/** Changes bits in as many slices of the index as possible. */
function changeBits(hash: string, count: number): string {
  let value = BigInt(`0x${hash}`);
  for (let bit = 0; bit < count; bit++) value ^= 1n << BigInt(16 * (bit % 16) + (bit % 7));
  return value.toString(16).padStart(64, "0");
}
