import { namesOf, type OperationDefinition, type Operations } from "@atelier/schemas";

/**
 * SQL that maps the column `operation` to a value of its definition; '' for an operation that the record
 * does not have.
 */
export function matchOperation(
  operations: Operations,
  valueOf: (definition: OperationDefinition) => string,
): string {
  const cases = namesOf(operations).map(
    (name) => `WHEN '${name}' THEN '${valueOf(operations[name])}'`,
  );
  return `CASE operation::text ${cases.join(" ")} ELSE '' END`;
}
