import type { Sql } from "@atelier/database";

/** Images of a model that wait for a worker. */
export interface Backlog {
  readonly lane: string;
  /** Id of the catalogue. */
  readonly model: string;
  readonly images: number;
}

/** Bounds the cost of the statement; more images make no other choice of a server. */
const maxRenders = 500;

/** Reads how many renders are ready, by lane and model: of those that are ready longest. */
export function readBacklog(sql: Sql): Promise<Backlog[]> {
  return sql.query(
    `SELECT lane, model, count(*)::int AS images FROM (
       SELECT lane, model FROM render WHERE finished_at IS NULL AND status = 'ready'
        ORDER BY dispatched_at LIMIT $1
     ) AS oldest GROUP BY lane, model`,
    [maxRenders],
  );
}
