import type { Sql } from "@atelier/database";
import { invariants } from "./invariants.ts";

/** The result of checking one invariant. */
export interface Finding {
  readonly invariant: string;
  /** Number of checked objects. */
  readonly checked: number;
  readonly violations: number;
  /** Command that repairs violations; null if an operator must investigate first. */
  readonly repair: string | null;
  /** The first violations with their details. */
  readonly examples: readonly object[];
  /** Sentences that name rows which could not be checked. They do not count as violations. */
  readonly notes?: readonly string[];
}

/** Maximum number of examples in a finding. */
export const maxExamples = 10;

/**
 * Checks every invariant of the database. The service may be running.
 *
 * @param onFinding called after each invariant.
 */
export async function auditDatabase(
  sql: Sql,
  onFinding: (finding: Finding) => void = () => undefined,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { name, checked, violations, repair = null } of invariants) {
    const [total] = await sql.query<{ count: bigint }>(`SELECT (${checked})::bigint AS count`);
    const broken = await sql.query<{ violations: bigint; example: object }>(
      `SELECT count(*) OVER () AS violations, to_jsonb(broken) AS example
         FROM (${violations}) AS broken LIMIT ${maxExamples}`,
    );
    const finding = {
      invariant: name,
      checked: Number(total?.count ?? 0),
      violations: Number(broken[0]?.violations ?? 0),
      repair,
      examples: broken.map(({ example }) => example),
    };
    findings.push(finding);
    onFinding(finding);
  }
  return findings;
}
