import type { Sql } from "@atelier/database";

const ofRender = (name: string) => ({
  name,
  from: `${name} JOIN render ON render.id = render_id`,
  job: "render.generation_id",
  deletion: `DELETE FROM ${name} USING render WHERE render.id = render_id AND generation_id = ANY ($1)`,
});

const ofJob = (name: string, job: string) => ({
  name,
  from: name,
  job,
  deletion: `DELETE FROM ${name} WHERE ${job} = ANY ($1)`,
});

/** Their key begins with the account. */
const sameJob =
  "generation.account_id = generation_search.account_id AND generation.id = generation_id";

/** The tables that grow with each job, in the order of deletion: those that refer to others first. */
const tables = [
  ofRender("image"),
  ofRender("provider_call"),
  ofJob("moderation_decision", "generation_id"),
  ofJob("render", "generation_id"),
  {
    name: "generation_search",
    from: `generation_search JOIN generation ON ${sameJob}`,
    job: "generation.id",
    deletion: `DELETE FROM generation_search USING generation WHERE ${sameJob} AND generation.id = ANY ($1)`,
  },
  ofJob("generation", "id"),
];

const readLines = `
  SELECT job, line FROM (
    ${tables
      .map(
        ({ name, from, job }) =>
          `SELECT ${job} AS job, '${name}' AS name,
                  jsonb_build_object('job', ${job}, 'table', '${name}', 'row', to_jsonb(${name}))::text AS line
             FROM ${from} WHERE ${job} = ANY ($1)`,
      )
      .join(" UNION ALL ")}
  ) AS lines ORDER BY job, name COLLATE "C", line COLLATE "C"`;

/** The rows of jobs, as lines of JSON `{"job", "table", "row"}` in a stable order, by the id of the job. */
export type JobLines = ReadonlyMap<string, readonly string[]>;

/**
 * Reads all rows of jobs in the archived tables.
 *
 * @param sql a transaction, since it sets the time zone in which times are written.
 */
export async function readJobLines(sql: Sql, jobIds: readonly string[]): Promise<JobLines> {
  const [, rows] = await Promise.all([
    sql.query("SET LOCAL TimeZone = 'UTC'"),
    sql.query<{ job: string; line: string }>(readLines, [jobIds]),
  ]);
  return groupByJob(rows);
}

/** Groups lines by their jobs, in the order of the lines. */
export function groupByJob(rows: Iterable<{ job: string; line: string }>): JobLines {
  const lines = new Map<string, string[]>();
  for (const { job, line } of rows) {
    const known = lines.get(job);
    if (known === undefined) lines.set(job, [line]);
    else known.push(line);
  }
  return lines;
}

/** Deletes all rows of jobs in the archived tables. */
export async function deleteJobRows(sql: Sql, jobIds: readonly string[]): Promise<void> {
  await Promise.all(tables.map(({ deletion }) => sql.query(deletion, [jobIds])));
}
