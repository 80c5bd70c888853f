import { statement, type Sql } from "@atelier/database";
import type { AccountInfo } from "./accounts.ts";

/** Settings that the owner of an account may change. */
export type AccountSettings = Pick<
  AccountInfo,
  | "strictness"
  | "retentionHours"
  | "lowBalanceMicroEur"
  | "language"
  | "keepStarred"
  | "makersReadAll"
>;

/**
 * Changes settings of an account. Accepted jobs keep their strictness; a new retention applies to all
 * images.
 *
 * @param settings omitted ones stay unchanged.
 * @returns false when the account does not exist.
 */
export async function updateAccount(
  sql: Sql,
  accountId: string,
  {
    strictness,
    retentionHours,
    lowBalanceMicroEur,
    language,
    keepStarred,
    makersReadAll,
  }: Partial<AccountSettings>,
): Promise<boolean> {
  const changed = await sql.query(
    ...update.bind({
      accountId,
      strictness: strictness ?? null,
      retentionHours: retentionHours ?? null,
      setsRetention: retentionHours !== undefined,
      lowBalance: lowBalanceMicroEur ?? null,
      setsLowBalance: lowBalanceMicroEur !== undefined,
      language: language ?? null,
      setsLanguage: language !== undefined,
      keepStarred: keepStarred ?? null,
      makersReadAll: makersReadAll ?? null,
    }),
  );
  return changed.length > 0;
}

const update = statement(
  [
    "accountId",
    "strictness",
    "retentionHours",
    "setsRetention",
    "lowBalance",
    "setsLowBalance",
    "language",
    "setsLanguage",
    "keepStarred",
    "makersReadAll",
  ],
  `UPDATE account
      SET strictness = coalesce(:strictness::strictness, strictness),
          retention_hours = CASE WHEN :setsRetention THEN :retentionHours::int ELSE retention_hours END,
          low_balance_micro_eur = CASE WHEN :setsLowBalance THEN :lowBalance::bigint
                                       ELSE low_balance_micro_eur END,
          language = CASE WHEN :setsLanguage THEN :language ELSE language END,
          keep_starred = coalesce(:keepStarred::boolean, keep_starred),
          makers_read_all = coalesce(:makersReadAll::boolean, makers_read_all)
    WHERE id = :accountId RETURNING id`,
);
