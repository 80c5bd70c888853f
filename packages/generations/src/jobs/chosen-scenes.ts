import type { Database, Sql } from "@atelier/database";

/** A story of an account. */
interface StoryOfAccount {
  readonly accountId: string;
  readonly storyId: string;
}

/** Returns the versions that were chosen for scenes of a story, by the position of the scene from 1. */
export async function readChosenScenes(
  sql: Sql,
  { accountId, storyId }: StoryOfAccount,
): Promise<ReadonlyMap<number, string>> {
  const rows = await sql.query<{ scene: number; versionId: string }>(
    `SELECT scene, version_id AS "versionId" FROM chosen_scene
      WHERE account_id = $1 AND story_id = $2`,
    [accountId, storyId],
  );
  return new Map(rows.map(({ scene, versionId }) => [scene, versionId]));
}

/**
 * Chooses the version of a scene. Locks both jobs before the account, so that neither is archived nor the account
 * erased meanwhile.
 *
 * @param choice.versionId a job for the scene, or the story itself; null for the newest.
 * @returns false when one of them, or the account, is gone.
 */
export function chooseScene(
  database: Pick<Database, "transaction">,
  choice: StoryOfAccount & { readonly scene: number; readonly versionId: string | null },
): Promise<boolean> {
  const { accountId, storyId, scene, versionId } = choice;
  return database.transaction(async (sql) => {
    if (versionId === null) {
      await sql.query(
        "DELETE FROM chosen_scene WHERE account_id = $1 AND story_id = $2 AND scene = $3",
        [accountId, storyId, scene],
      );
      return true;
    }
    const ids = new Set([storyId, versionId]);
    const jobs = await sql.query(
      "SELECT FROM generation WHERE id = ANY ($1) AND account_id = $2 ORDER BY id FOR KEY SHARE",
      [[...ids], accountId],
    );
    if (jobs.length < ids.size) return false;
    const chosen = await sql.query(
      `INSERT INTO chosen_scene (account_id, story_id, scene, version_id)
       SELECT id, $2, $3, $4 FROM account WHERE id = $1 AND erased_at IS NULL FOR SHARE
       ON CONFLICT (account_id, story_id, scene) DO UPDATE SET version_id = excluded.version_id
       RETURNING scene`,
      [accountId, storyId, scene, versionId],
    );
    return chosen.length > 0;
  });
}
