import { resourceTables } from "@atelier/schemas/resources";

/**
 * Tables whose rows belong to one account, in `account_id`, and to nothing else: erasing the account deletes them,
 * and the audit finds those that are left.
 */
export const ownedTables = [
  ...resourceTables,
  "member",
  "cast_member",
  "kept_item",
  "job_note",
  "chosen_scene",
  "budget",
] as const;
