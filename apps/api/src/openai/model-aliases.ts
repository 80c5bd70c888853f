import { entriesNamed, type Catalogue } from "@atelier/models";

/** A name that the operator maps to a model; a `*` at its end stands for any ending. */
interface ModelAlias {
  readonly name: string;
  readonly model: string;
}

/** Other names of models, for OpenAI's clients, in which the names of OpenAI's models are fixed. */
export interface ModelAliases {
  /**
   * The model of a name: that of an exact name, of the longest beginning, or the only one that its provider has
   * under this name, such as `Qwen/Qwen-Image`. Other names stay.
   */
  readonly resolve: (name: string) => string;
  /** The names without a `*`, with their models. */
  readonly exact: readonly ModelAlias[];
}

/**
 * Creates the aliases of a catalogue. A model's own id always stays.
 *
 * @throws Error for an alias of a model that does not exist.
 */
export function createModelAliases(
  aliases: readonly ModelAlias[],
  catalogue: Pick<Catalogue, "entryOf" | "entries">,
): ModelAliases {
  const unknown = aliases.find(({ model }) => catalogue.entryOf(model) === null);
  if (unknown !== undefined) {
    throw new Error(`there is no model "${unknown.model}" for the name "${unknown.name}"`);
  }
  const exact = aliases.filter(({ name }) => !name.endsWith("*"));
  const prefixes = aliases
    .filter(({ name }) => name.endsWith("*"))
    .map(({ name, model }) => ({ beginning: name.slice(0, -1), model }))
    .toSorted((a, b) => b.beginning.length - a.beginning.length);
  const aliasOf = (name: string) =>
    exact.find((one) => one.name === name) ??
    prefixes.find(({ beginning }) => name.startsWith(beginning));
  return {
    exact,
    resolve: (name) => {
      if (catalogue.entryOf(name) !== null) return name;
      const alias = aliasOf(name) ?? aliasOf(name.toLowerCase());
      if (alias !== undefined) return alias.model;
      const [named, ...others] = entriesNamed(name, catalogue);
      return named !== undefined && others.length === 0 ? named.id : name;
    },
  };
}
