import { recordOperation } from "@atelier/audit";
import type { Database } from "@atelier/database";
import { hashToken, removeShare } from "@atelier/generations/library";
import type { Answer } from "./answer.ts";
import type { ShareName } from "./operators/parse-values.ts";
import { readActor } from "./operators/record-commands.ts";

/**
 * Ends a link of any account, and records it.
 *
 * @throws Error when there is no such share.
 */
export async function remove(
  {
    database,
    operatorLogKey,
  }: { readonly database: Database; readonly operatorLogKey: string | null },
  name: ShareName,
): Promise<Answer> {
  let id: string | null = null;
  await database.transaction(async (sql) => {
    const removed = await removeShare(sql, "id" in name ? name : { hash: hashToken(name.token) });
    // The transaction was committed, and its response lost.
    if (removed === null && id !== null) return;
    if (removed === null) {
      throw new Error("There is no such share. It has ended, or the link is not complete.");
    }
    id = removed;
    await recordOperation(sql, operatorLogKey, {
      actor: readActor(),
      action: "shares remove",
      targetId: id,
      fields: ["share"],
      requestId: null,
      personal: null,
    });
  });
  return { json: { id }, text: `Share ${id} is removed. Its link has ended.` };
}
