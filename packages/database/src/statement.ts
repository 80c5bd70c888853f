/** A statement with its parameters, as the arguments of `Sql.query`. */
export type BoundStatement = readonly [text: string, values: readonly unknown[]];

/** An SQL statement whose parameters have names. */
export interface Statement<Name extends string> {
  /** The statement with a value for each name. */
  readonly bind: (values: Readonly<Record<Name, unknown>>) => BoundStatement;
}

/**
 * Turns the `:name` parameters of a statement into numbers. Used for every statement with more than
 * three parameters. Called when a module is loaded, so that a misspelt name is found at once; `::`
 * stays a cast.
 *
 * @throws Error when the text has a parameter that is not among the names, or lacks one of them.
 */
export function statement<const Name extends string>(
  names: readonly Name[],
  text: string,
): Statement<Name> {
  const used = new Set<string>();
  const numbered = text.replaceAll(/(?<!:):([A-Za-z]\w*)/g, (_match, name: string) => {
    const index = names.findIndex((known) => known === name);
    if (index === -1) throw new Error(`the statement has an unknown parameter :${name}`);
    used.add(name);
    return `$${index + 1}`;
  });
  const unused = names.find((name) => !used.has(name));
  if (unused !== undefined) throw new Error(`the statement does not use :${unused}`);
  return { bind: (values) => [numbered, names.map((name) => values[name])] };
}
