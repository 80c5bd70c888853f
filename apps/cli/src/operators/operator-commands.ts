/** How a command of operators is recorded in the operator log. */
type Recording =
  /** It changes nothing in the database but the time of its last run. */
  | "reads"
  /** It needs no database. */
  | "none"
  | {
      /** `itself`: the command writes its lines, with the changes or once the database is there. */
      readonly recorded: "before" | "itself";
      /** The names of the fields that it changes. */
      readonly fields: readonly string[];
      /** The object of the line: the first argument. */
      readonly target?: "first argument";
      /** The option with a name, which is a personal value of the account. */
      readonly personal?: "name";
      /** The option with which the command writes, and is recorded. Without it, the command only reads. */
      readonly onlyWith?: "repair" | "before";
    };

const changesAccount = (...fields: string[]) =>
  ({ recorded: "before", fields, target: "first argument" }) as const;

/**
 * The commands of operators: `leaf` adds no other. Each one that writes is recorded; a line says that it was run, not
 * that it succeeded.
 */
export const operatorCommands: Readonly<Record<string, Recording>> = {
  "accounts create": { recorded: "itself", fields: ["name", "strictness", "balance"] },
  "accounts import": { recorded: "itself", fields: ["name", "strictness", "balance", "key"] },
  "accounts list": "reads",
  "accounts show": "reads",
  "accounts statement": "reads",
  "accounts top-up": changesAccount("balance"),
  "accounts withdraw": changesAccount("balance"),
  "accounts refund": { recorded: "itself", fields: ["balance", "refund"] },
  "accounts strictness": changesAccount("strictness"),
  "accounts suspend": changesAccount("suspended_at"),
  "accounts resume": changesAccount("suspended_at"),
  "accounts erase": changesAccount("erased_at"),
  "accounts repeat-erasures": { recorded: "before", fields: ["erased_at"] },
  "accounts keys create": { ...changesAccount("key"), personal: "name" },
  "accounts keys list": "reads",
  "accounts keys revoke": changesAccount("revoked_at"),
  find: "reads",
  "jobs explain": "reads",
  "shares remove": { recorded: "itself", fields: ["share"] },
  "operator-log": "reads",
  "operator-log-key": { recorded: "itself", fields: ["reason"] },
  "studio-link": { recorded: "before", fields: ["studio_link"] },
  peppers: "reads",
  audit: { recorded: "before", fields: ["backfill"], onlyWith: "repair" },
  costs: "reads",
  archive: { recorded: "before", fields: ["archive"], onlyWith: "before" },
  backfills: "reads",
  "registry-fill": { recorded: "before", fields: ["mark"] },
  migrate: { recorded: "itself", fields: ["schema"] },
  backup: "reads",
  "backup-done": { recorded: "before", fields: ["last_backup"] },
  restore: { recorded: "itself", fields: ["database"] },
  "after-restore": { recorded: "itself", fields: ["database"] },
  doctor: "reads",
  "models check": "none",
  "models discover": "none",
  "catalogue check": "none",
  "soft-binding entry": "none",
  "make-secrets": "none",
  verify: "reads",
};
