/** The first migration: the schema of version 0.2.0. */
export const baseline = "20261123200000_baseline";

/** The commit to run first on a database that is older than the baseline. */
export const lastCommitBeforeBaseline = "590ce50";

/** The migrations that the baseline replaces. A database that has all of them counts as having it. */
export const replacedByBaseline: readonly string[] = [
  "20261121000000_init",
  "20261121020000_metrics_and_retention",
  "20261121040000_lane_health",
  "20261121060000_unfinished_generations",
  "20261121060100_unfinished_renders",
  "20261121060200_ledger_balance",
  "20261121100000_claim_id",
  "20261121120000_withdrawal",
  "20261121120100_one_index_for_lists",
  "20261121130000_cancel_request",
  "20261122000000_statement",
  "20261122000100_unused_index_of_entries",
  "20261122000200_unused_index_of_holds",
  "20261122100000_key_limits",
  "20261122100100_generation_key",
  "20261122170000_removed_images",
  "20261122173000_lane_probe",
  "20261122180000_registry",
  "20261122195804_usage_index",
  "20261122195853_events",
  "20261122195949_request_options",
  "20261122201500_event_key",
  "20261122201929_account_settings",
  "20261122202446_generation_search",
  "20261122203145_redaction",
  "20261122204200_webhooks",
  "20261122210304_upload",
  "20261122212500_thumbnails",
  "20261122233900_svg",
  "20261123023350_studio_link",
  "20261123023600_generation_operation",
  "20261123131500_delivery_attempt_log",
  "20261123140000_operation_of_account",
];

/** How a database relates to the baseline. */
export type BaselineState = "missing" | "applied" | "equivalent" | "outdated";

/**
 * Compares the migrations of a database with the baseline.
 *
 * @param applied names of the migrations that it has.
 * @returns `missing` for an empty database, `equivalent` if it has all migrations that the baseline
 *   replaces, and `outdated` if it has only some of them.
 */
export function compareWithBaseline(applied: ReadonlySet<string>): BaselineState {
  if (applied.has(baseline)) return "applied";
  const replaced = replacedByBaseline.filter((name) => applied.has(name)).length;
  if (replaced === 0) return "missing";
  return replaced === replacedByBaseline.length ? "equivalent" : "outdated";
}
