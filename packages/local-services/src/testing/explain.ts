/** A node of an executed plan, as `EXPLAIN (ANALYZE, FORMAT JSON)` writes it. */
export interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  /** Pages that it and the nodes below it found in memory. */
  readonly "Shared Hit Blocks"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Lists a node and all nodes below it. */
function planNodes(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(planNodes)];
}

/** Rows that a plan read from tables, also those that a filter discarded. */
export function countRowsRead(plan: PlanNode): number {
  return planNodes(plan)
    .filter((node) => node["Relation Name"] !== undefined && node["Node Type"] !== "ModifyTable")
    .reduce(
      (sum, node) =>
        sum +
        node["Actual Loops"] *
          (node["Actual Rows"] +
            (node["Rows Removed by Filter"] ?? 0) +
            (node["Rows Removed by Index Recheck"] ?? 0)),
      0,
    );
}

interface Sql {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

type Explained = readonly { "QUERY PLAN": readonly { Plan: PlanNode }[] }[];

/**
 * Runs the statements of a function, each also under `EXPLAIN ANALYZE` in a savepoint that is rolled back: with the
 * plan for these values, and with the plan for any values, which connections keep from the sixth run of a statement
 * on.
 *
 * @returns the plans of its statements.
 */
export function explainStatements(
  database: { transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> },
  run: (sql: Sql) => Promise<unknown>,
): Promise<readonly PlanNode[]> {
  return database.transaction(async (sql) => {
    const plans: PlanNode[] = [];
    async function explain(mode: string, text: string, values: readonly unknown[]) {
      await sql.query("SAVEPOINT explained");
      await sql.query(`SET LOCAL plan_cache_mode = ${mode}`);
      await sql.query(`PREPARE explained AS ${text}`);
      const given = values.length === 0 ? "" : `(${values.map(literal).join()})`;
      const [row] = (await sql.query(
        `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE explained ${given}`,
      )) as unknown as Explained;
      plans.push(...(row?.["QUERY PLAN"] ?? []).map(({ Plan }) => Plan));
      await sql.query("DEALLOCATE explained");
      await sql.query("ROLLBACK TO explained");
    }
    // One after the other, also those that `run` starts together.
    let last: Promise<unknown> = Promise.resolve();
    await run({
      query<Row extends object>(text: string, values: readonly unknown[] = []) {
        const result = last.then(async () => {
          for (const mode of ["force_custom_plan", "force_generic_plan"]) {
            await explain(mode, text, values);
          }
          return sql.query<Row>(text, values);
        });
        last = result;
        return result;
      },
    });
    return plans;
  });
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  const text = Array.isArray(value)
    ? `{${value.map((item) => JSON.stringify(String(item))).join()}}`
    : `${value as string | number}`;
  return `'${text.replaceAll("'", "''")}'`;
}
