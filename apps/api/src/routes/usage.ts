import { assertScope, readKeyNames, type Caller } from "@atelier/accounts";
import { completeRange, readBudgetNames, readUsage, type UsageSums } from "@atelier/billing";
import {
  AppError,
  invalidRequest,
  formatEur,
  maxUsageDays,
  type Usage,
  type UsageQuery,
  type UsageRow,
} from "@atelier/schemas";
import { toCsv } from "@atelier/schemas/csv";
import { readUsage as readUsageEndpoint } from "@atelier/schemas/endpoints";
import type { Needs } from "../dependencies.ts";
import { contextOf } from "../http/context.ts";
import { chargeWork } from "../http/limits/rate-limit.ts";
import { modeToShow } from "../http/permissions.ts";
import type { Routes } from "../http/routes.ts";

/** Maximum number of jobs in one request, which bounds the time of its query. */
const maxJobs = 100_000;

/** Jobs that cost the database as much as another request. */
const jobsPerUnit = 500;

/** `GET /v1/usage`: jobs, images and cost in a range of days, as JSON or CSV. */
export function serveUsage(
  routes: Routes,
  dependencies: Needs<"accountMutex" | "admissions" | "database" | "logger">,
): void {
  routes.send(readUsageEndpoint, async (_request, response, query) => {
    const { usage, workUnits } = await sumUsage(contextOf(response).caller, query, dependencies);
    await chargeWork(response, workUnits, dependencies);
    if (query.format === "csv") {
      const name = `usage-${usage.from}-${usage.to}.csv`;
      response.set("Content-Disposition", `attachment; filename="${name}"`);
      response.type("text/csv").send(writeCsv(usage.rows, query.group_by));
      return;
    }
    response.json(usage);
  });
}

/**
 * Sums the usage of a caller's account. Archived jobs, of which only sums are read, cost nothing and do not count
 * towards the limit.
 *
 * @returns the usage, and the requests that the work for it counts as, beyond the first one.
 * @throws AppError `key_not_permitted` without the scope `read` or for live jobs with a test key, or `invalid_request` when the range
 *   is reversed or too large.
 */
export async function sumUsage(
  caller: Caller,
  { from, to, group_by: groupBy, mode: wanted }: Omit<UsageQuery, "format">,
  { accountMutex, database }: Needs<"accountMutex" | "database">,
): Promise<{ readonly usage: Usage; readonly workUnits: number }> {
  assertScope(caller, "read");
  const { accountId } = caller;
  const mode = modeToShow(caller, wanted);
  const { days, ...range } = await completeRange(database, { from, to });
  if (days < 1) throw invalidRange("from", "must not be after to");
  if (days > maxUsageDays) {
    throw invalidRange("from", `must be at most ${maxUsageDays} days before to`);
  }
  const sums = await accountMutex.run(accountId, () =>
    readUsage(database, { accountId, mode, range, groupBy, maxJobs }),
  );
  const total = {
    jobs: sums.reduce((sum, { jobs }) => sum + jobs, 0),
    images: sums.reduce((sum, { images }) => sum + images, 0),
    failed: sums.reduce((sum, { failed }) => sum + failed, 0),
    cost_eur: formatEur(sums.reduce((sum, { chargedMicroEur }) => sum + chargedMicroEur, 0n)),
    ...presentRefunds(sums.reduce((sum, { refundedMicroEur }) => sum + refundedMicroEur, 0n)),
  };
  const jobsRead = sums.reduce((sum, row) => sum + row.jobsRead, 0);
  if (jobsRead > maxJobs) {
    throw invalidRange("from", `must be later: the range has more than ${maxJobs} jobs`);
  }
  const names = groupBy === "key" ? await readKeyNames(database, accountId, groupsOf(sums)) : null;
  const budgets = groupBy === "budget" ? await readBudgetNames(database, accountId) : null;
  const rows = sums.map((row) => ({
    ...presentRow(row, groupBy),
    ...(budgets !== null && { budget_name: budgets.get(row.group ?? "") ?? null }),
    ...(names !== null && { key_name: names.get(row.group ?? "") ?? null }),
  }));
  return {
    usage: { from: range.from, to: range.to, rows, total },
    workUnits: Math.floor(jobsRead / jobsPerUnit),
  };
}

function groupsOf(sums: readonly UsageSums[]): string[] {
  return sums.flatMap(({ group }) => (group === null ? [] : [group]));
}

function presentRow(
  { group, jobs, images, failed, chargedMicroEur, refundedMicroEur }: UsageSums,
  groupBy: UsageQuery["group_by"],
): UsageRow {
  const sums = { jobs, images, failed, cost_eur: formatEur(chargedMicroEur) };
  return { [groupBy]: group, ...sums, ...presentRefunds(refundedMicroEur) };
}

function presentRefunds(refundedMicroEur: bigint): { readonly refunded_eur?: string } {
  return refundedMicroEur === 0n ? {} : { refunded_eur: formatEur(refundedMicroEur) };
}

function writeCsv(rows: readonly UsageRow[], groupBy: UsageQuery["group_by"]): string {
  const columns = [
    groupBy,
    "jobs",
    "images",
    "failed",
    "cost_eur",
    ...(groupBy === "key" ? (["key_name"] as const) : []),
    ...(groupBy === "budget" ? (["budget_name"] as const) : []),
    ...(rows.some((row) => row.refunded_eur !== undefined) ? (["refunded_eur"] as const) : []),
  ] as const;
  return toCsv(
    columns,
    rows.map((row) => columns.map((column) => row[column] ?? "")),
  );
}

function invalidRange(path: string, message: string): AppError {
  return invalidRequest({ path, code: "invalid_range", message });
}
