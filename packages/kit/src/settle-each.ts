/**
 * Does work for each item, one after another. An item that fails does not keep the others from their turn.
 *
 * @param work returns false to end the loop early.
 * @returns whether every item had its turn.
 * @throws AggregateError with the errors of the items, after the last one.
 */
export async function settleEach<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<boolean | void>,
): Promise<boolean> {
  const errors: unknown[] = [];
  let isComplete = true;
  for (const item of items) {
    try {
      isComplete = (await work(item)) !== false;
    } catch (error) {
      errors.push(error);
    }
    if (!isComplete) break;
  }
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join("; "));
  return isComplete;
}
