import type { Sql } from "@atelier/database";
import { isToCopy, isToRemove } from "./kept-files.ts";

interface KeepingWork {
  /** There are images to keep, files to copy or files to remove. */
  readonly isDue: boolean;
  /** Images of unfinished jobs are to be kept when they are made, which nothing announces. */
  readonly isAwaited: boolean;
}

/** Reads in one statement whether there is something to do for `keepRequested` and those that follow it. */
export async function findKeepingWork(sql: Sql): Promise<KeepingWork> {
  const [work] = await sql.query<KeepingWork>(
    `SELECT EXISTS (SELECT FROM kept_item WHERE status = 'requested') AS "isAwaited",
            EXISTS (SELECT FROM kept_item AS item LEFT JOIN cast_member AS member ON member.id = item.id
                      JOIN generation ON generation.id = coalesce(member.story_job_id, item.id)
                     WHERE item.status = 'requested' AND generation.completed_at IS NOT NULL)
            OR EXISTS (SELECT FROM kept_file WHERE ${isToCopy})
            OR EXISTS (SELECT FROM kept_file WHERE ${isToRemove}) AS "isDue"`,
  );
  if (work === undefined) throw new Error("a statement without a table has one row");
  return work;
}
