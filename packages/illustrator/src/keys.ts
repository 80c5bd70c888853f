/** True when a value is one of the keys of a record. */
export function isKeyOf<Table extends object>(
  record: Table,
  value: PropertyKey,
): value is keyof Table {
  return Object.hasOwn(record, value);
}
