import type { Sql } from "@atelier/database";

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
 * Chooses the version of a scene, unless the account was erased meanwhile.
 *
 * @param choice.versionId a job for the scene, or the story itself; null for the newest.
 */
export async function chooseScene(
  sql: Sql,
  choice: StoryOfAccount & { readonly scene: number; readonly versionId: string | null },
): Promise<void> {
  const { accountId, storyId, scene, versionId } = choice;
  if (versionId === null) {
    await sql.query(
      "DELETE FROM chosen_scene WHERE account_id = $1 AND story_id = $2 AND scene = $3",
      [accountId, storyId, scene],
    );
    return;
  }
  await sql.query(
    `INSERT INTO chosen_scene (account_id, story_id, scene, version_id)
     SELECT id, $2, $3, $4 FROM account WHERE id = $1 AND erased_at IS NULL FOR SHARE
     ON CONFLICT (account_id, story_id, scene) DO UPDATE SET version_id = excluded.version_id`,
    [accountId, storyId, scene, versionId],
  );
}
