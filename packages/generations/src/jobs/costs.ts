import { completeRange, type DayRange } from "@atelier/billing";
import { statement, type Sql } from "@atelier/database";
import { formatEur, type CostGroup } from "@atelier/schemas";

/** Sums over the provider calls of some days. Amounts are in micro-EUR. */
export interface CostSums {
  /** The value that the calls have in common. */
  readonly group: string;
  readonly calls: number;
  /** Calls whose image was delivered and paid for. */
  readonly images: number;
  /** The amount that clients were charged for these images. */
  readonly revenueMicroEur: bigint;
  /** Sum of the costs that are known. */
  readonly costMicroEur: bigint;
  /** Calls without a cost in EUR: it is unknown, or no exchange rate was set. They are not in the sum. */
  readonly unknownCosts: number;
  /** Part of the cost that is an estimate. */
  readonly estimatedMicroEur: bigint;
  /** Refusals that were charged, and their cost. */
  readonly paidRefusals: number;
  readonly refusalsMicroEur: bigint;
  /** Other calls that were charged and brought no revenue, and their cost. */
  readonly losses: number;
  readonly lossesMicroEur: bigint;
}

/**
 * The charge of a generation is divided among its images so that the parts add up to it. An image counts
 * only when its generation completed, because nothing is charged otherwise.
 */
const revenue = `CASE WHEN outcome = 'image' AND generation.status = 'completed' AND render.status = 'done'
  THEN generation.charged_micro_eur * (position + 1) / renders_total
       - generation.charged_micro_eur * position / renders_total END`;

/** @param group an SQL expression over `calls`. */
function sumBy(group: string) {
  return statement(
    ["from", "to"],
    `SELECT ${group}::text AS "group", count(*)::int AS calls, count(revenue)::int AS images,
            coalesce(sum(revenue), 0)::bigint AS "revenueMicroEur",
            coalesce(sum(cost), 0)::bigint AS "costMicroEur",
            count(*) FILTER (WHERE cost IS NULL)::int AS "unknownCosts",
            coalesce(sum(cost) FILTER (WHERE cost_basis = 'estimated'), 0)::bigint AS "estimatedMicroEur",
            count(*) FILTER (WHERE cost > 0 AND outcome = 'refused')::int AS "paidRefusals",
            coalesce(sum(cost) FILTER (WHERE outcome = 'refused'), 0)::bigint AS "refusalsMicroEur",
            count(*) FILTER (WHERE cost > 0 AND outcome <> 'refused' AND revenue IS NULL AND is_final)::int
              AS losses,
            coalesce(sum(cost) FILTER (WHERE outcome <> 'refused' AND revenue IS NULL AND is_final), 0)::bigint
              AS "lossesMicroEur"
       FROM (SELECT provider_call.model, provider_call.provider, generation.account_id, outcome,
                    (provider_call.started_at AT TIME ZONE 'UTC')::date AS day,
                    cost_micro_eur AS cost, cost_basis, ${revenue} AS revenue,
                    generation.completed_at IS NOT NULL AS is_final
               FROM provider_call
               JOIN render ON render.id = render_id
               JOIN generation ON generation.id = generation_id
              WHERE provider_call.started_at >= :from::date::timestamp AT TIME ZONE 'UTC'
                AND provider_call.started_at < (:to::date + 1)::timestamp AT TIME ZONE 'UTC'
                AND outcome IS NOT NULL) AS calls
      GROUP BY 1 ORDER BY 1`,
  );
}

const statements = {
  model: sumBy("model"),
  day: sumBy("day"),
  account: sumBy("account_id"),
  provider: sumBy("provider"),
} satisfies Record<CostGroup, unknown>;

/**
 * Sums revenue and the costs of providers over the calls that started on the days of a range.
 *
 * @returns the groups with the lowest margin first, and days in their order.
 */
export async function readCosts(
  sql: Sql,
  { groupBy, range }: { readonly groupBy: CostGroup; readonly range: DayRange },
): Promise<readonly CostSums[]> {
  const groups = await sql.query<CostSums>(
    ...statements[groupBy].bind({ from: range.from, to: range.to }),
  );
  if (groupBy === "day") return groups;
  return groups.toSorted((one, other) => Number(knownMargin(one) - knownMargin(other)));
}

/** Revenue without the known costs: the margin if no cost is unknown, and otherwise its upper bound. */
function knownMargin({ costMicroEur, revenueMicroEur }: CostSums): bigint {
  return revenueMicroEur - costMicroEur;
}

/** All groups as one. */
function totalCosts(groups: readonly CostSums[]): CostSums {
  const sumOf = (read: (group: CostSums) => number) =>
    groups.reduce((sum, group) => sum + read(group), 0);
  const amountOf = (read: (group: CostSums) => bigint) =>
    groups.reduce((sum, group) => sum + read(group), 0n);
  return {
    group: "total",
    calls: sumOf(({ calls }) => calls),
    images: sumOf(({ images }) => images),
    revenueMicroEur: amountOf(({ revenueMicroEur }) => revenueMicroEur),
    costMicroEur: amountOf(({ costMicroEur }) => costMicroEur),
    unknownCosts: sumOf(({ unknownCosts }) => unknownCosts),
    estimatedMicroEur: amountOf(({ estimatedMicroEur }) => estimatedMicroEur),
    paidRefusals: sumOf(({ paidRefusals }) => paidRefusals),
    refusalsMicroEur: amountOf(({ refusalsMicroEur }) => refusalsMicroEur),
    losses: sumOf(({ losses }) => losses),
    lossesMicroEur: amountOf(({ lossesMicroEur }) => lossesMicroEur),
  };
}

/**
 * Reports revenue, costs and margin as JSON, for the command and the admin port.
 *
 * @param options.from first day, such as `2026-11-30`; by default 29 days before the last one.
 * @param options.to last day, in UTC; today by default.
 */
export async function reportCosts(
  sql: Sql,
  {
    groupBy,
    from,
    to,
  }: {
    readonly groupBy: CostGroup;
    readonly from?: string | undefined;
    readonly to?: string | undefined;
  },
) {
  const range = await completeRange(sql, { from, to });
  return presentCosts(await readCosts(sql, { groupBy, range }), groupBy, range);
}

export function presentCosts(groups: readonly CostSums[], groupBy: CostGroup, range: DayRange) {
  return {
    from: range.from,
    to: range.to,
    group_by: groupBy,
    groups: groups.map(presentSums),
    total: presentSums(totalCosts(groups)),
  };
}

function presentSums(sums: CostSums) {
  return {
    group: sums.group,
    calls: sums.calls,
    images: sums.images,
    revenue_eur: formatEur(sums.revenueMicroEur),
    known_cost_eur: formatEur(sums.costMicroEur),
    unknown_costs: sums.unknownCosts,
    /** Null while a cost is unknown: it is then at most `margin_at_most_eur`. */
    margin_eur: sums.unknownCosts === 0 ? formatEur(knownMargin(sums)) : null,
    margin_at_most_eur: formatEur(knownMargin(sums)),
    estimated_cost_eur: formatEur(sums.estimatedMicroEur),
    paid_refusals: sums.paidRefusals,
    refusals_eur: formatEur(sums.refusalsMicroEur),
    losses: sums.losses,
    losses_eur: formatEur(sums.lossesMicroEur),
  };
}
