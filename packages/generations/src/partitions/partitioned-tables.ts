import type { Sql } from "@atelier/database";
import { timeOf } from "../id-range.ts";

/** A table that is partitioned by the time in its UUIDv7s. */
interface PartitionedTable {
  readonly name: string;
  /** Column of the id by which its rows belong to a partition. */
  readonly key: string;
}

/** Tables that grow with each image, in the order in which transactions lock their rows. */
export const partitionedTables = [
  { name: "generation", key: "id" },
  { name: "generation_search", key: "generation_id" },
  { name: "render", key: "id" },
  { name: "image", key: "render_id" },
  { name: "provider_call", key: "id" },
  { name: "moderation_decision", key: "render_id" },
] as const satisfies readonly PartitionedTable[];

/** A month of all partitioned tables. Its tables are called `<table>_<name>`. */
export interface Partition {
  /** `first` for the oldest one, or year and month such as `202701`. */
  readonly name: string;
  /** Null for the oldest one, which has no lower bound. */
  readonly fromId: string | null;
  readonly toId: string;
  /** Estimated rows of `generation`; -1 before the first analysis. */
  readonly jobs: number;
  /** Size of its tables with their indexes. */
  readonly bytes: number;
}

const bounds = /^FOR VALUES FROM \((?:MINVALUE|'([0-9a-f-]+)')\) TO \('([0-9a-f-]+)'\)$/;

/** Reads the partitions, oldest first, without the one for all other rows. */
export async function readPartitions(sql: Sql): Promise<readonly Partition[]> {
  const rows = await sql.query<{ name: string; bounds: string; jobs: number; bytes: bigint }>(
    `SELECT substr(child.relname, length('generation_') + 1) AS name,
            pg_get_expr(child.relpartbound, child.oid) AS bounds, child.reltuples::float8 AS jobs,
            (SELECT coalesce(sum(pg_total_relation_size(to_regclass(format('%I', part || substr(child.relname, length('generation') + 1))))), 0)
               FROM unnest($1::text[]) AS part)::bigint AS bytes
       FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
      WHERE inhparent = 'generation'::regclass`,
    [partitionedTables.map(({ name }) => name)],
  );
  return rows
    .flatMap(({ name, bounds: text, jobs, bytes }) => {
      const [, fromId = null, toId] = bounds.exec(text) ?? [];
      return toId === undefined ? [] : [{ name, fromId, toId, jobs, bytes: Number(bytes) }];
    })
    .sort((one, other) => timeOf(one.toId) - timeOf(other.toId));
}

/** Name of the partition that begins at a time: its year and month in UTC. */
export function nameOfMonth(time: number): string {
  return new Date(time).toISOString().slice(0, 7).replace("-", "");
}
