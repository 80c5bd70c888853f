import type { BoundStatement, Database } from "@atelier/database";

/** Work that is one statement, which returns at most one row. */
interface Work {
  readonly bound: BoundStatement;
  /** It needs more than its statement, such as a new receiver of a `webhook_url`. */
  readonly receiver?: object | null;
}

/**
 * Runs the statements of several items in one transaction, in order: they share its commit and the locks
 * that all of them need. When one violates a constraint, nothing of the group is committed and each runs
 * alone, so that it fails alone. Each runs alone as well when one of them needs more than its statement.
 *
 * @param options.first a statement before the others, for locks that must be taken before those of the
 *   first item.
 * @param options.alone runs an item in a transaction of its own.
 */
export async function runTogether<Item extends Work, Row extends object>(
  database: Database,
  items: readonly Item[],
  options: {
    readonly first?: BoundStatement | undefined;
    readonly alone: (item: Item) => Promise<Row | undefined>;
  },
): Promise<readonly PromiseSettledResult<Row | undefined>[]> {
  if (items.length > 1 && items.every(({ receiver = null }) => receiver === null)) {
    const { first } = options;
    const statements = [
      ...(first === undefined ? [] : [first]),
      ...items.map(({ bound }) => bound),
    ];
    try {
      const results = await database.batch<Row>(statements);
      return results.slice(-items.length).map(([row]) => ({ status: "fulfilled", value: row }));
    } catch (error) {
      if (!violatesConstraint(error)) throw error;
    }
  }
  const outcomes: PromiseSettledResult<Row | undefined>[] = [];
  for (const item of items) outcomes.push(...(await Promise.allSettled([options.alone(item)])));
  return outcomes;
}

/** Classes "data exception" and "integrity constraint violation". */
function violatesConstraint(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === "string" && /^2[23]/.test(code);
}
