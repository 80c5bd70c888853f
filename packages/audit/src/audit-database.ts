import type { Sql } from "@atelier/database";
import { invariants } from "./invariants.ts";

/** What became of holding one invariant to the facts. */
export interface Finding {
  readonly invariant: string;
  /** How many things could have broken it. */
  readonly checked: number;
  readonly violations: number;
  /** The first of those that break it, each with what was found. */
  readonly examples: readonly object[];
}

/** How many violations a finding shows. */
export const maxExamples = 10;

/**
 * Holds the database to each invariant in turn, while the service runs or not.
 *
 * @param onFinding called as soon as an invariant was checked.
 */
export async function auditDatabase(
  sql: Sql,
  onFinding: (finding: Finding) => void = () => undefined,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { name, checked, violations } of invariants) {
    const [total] = await sql.query<{ count: bigint }>(`SELECT (${checked})::bigint AS count`);
    const broken = await sql.query<{ violations: bigint; example: object }>(
      `SELECT count(*) OVER () AS violations, to_jsonb(broken) AS example
         FROM (${violations}) AS broken LIMIT ${maxExamples}`,
    );
    const finding = {
      invariant: name,
      checked: Number(total?.count ?? 0),
      violations: Number(broken[0]?.violations ?? 0),
      examples: broken.map(({ example }) => example),
    };
    findings.push(finding);
    onFinding(finding);
  }
  return findings;
}
