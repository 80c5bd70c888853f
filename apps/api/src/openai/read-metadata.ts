import { metadataPairs, type Metadata } from "@atelier/schemas";

/** OpenAI's parameters with which clients identify their own user; kept in the metadata of the job. */
const identifiers = ["user", "safety_identifier"] as const;

/** Metadata of a request, and the parameters that it was taken from. */
interface KeptMetadata {
  /** Undefined when the request contains no metadata. */
  readonly metadata: Metadata | undefined;
  readonly kept: readonly string[];
}

/**
 * Reads the metadata of a request of OpenAI's clients: the pairs of `metadata`, then `user` and
 * `safety_identifier` under their names. These parameters had no effect before, so that values beyond
 * the limits of metadata are left out instead of refused.
 *
 * @param body JSON, or the fields of a form: `metadata` as JSON text, or `metadata[name]` as OpenAI's
 *   client writes it.
 */
export function readMetadata(body: object): KeptMetadata {
  const fields = new Map<string, unknown>(Object.entries(body));
  let result: KeptMetadata = { metadata: undefined, kept: [] };
  const keep = (names: readonly string[], added: Readonly<Record<string, unknown>>): void => {
    const { metadata = {} } = result;
    const parsed = metadataPairs.safeParse({ ...metadata, ...added });
    const isFree = Object.keys(added).every((name) => !Object.hasOwn(metadata, name));
    if (!parsed.success || !isFree || !isStorable(parsed.data)) return;
    result = { metadata: parsed.data, kept: [...result.kept, ...names] };
  };
  const pairs = readPairs(fields.get("metadata"));
  if (pairs !== null) keep(["metadata"], pairs);
  const nested = [...fields.keys()].filter((name) => nestedName.test(name));
  const nestedPairs = nested.map((name) => [nestedName.exec(name)?.[1] ?? "", fields.get(name)]);
  if (nested.length > 0) keep(nested, Object.fromEntries(nestedPairs) as Record<string, unknown>);
  for (const name of identifiers) {
    if (typeof fields.get(name) === "string") keep([name], { [name]: fields.get(name) });
  }
  return result;
}

/** A pair in a form: `metadata[order]`. */
const nestedName = /^metadata\[([^\]]+)\]$/;

function readPairs(value: unknown): Readonly<Record<string, unknown>> | null {
  const pairs = typeof value === "string" ? parse(value) : value;
  if (typeof pairs !== "object" || pairs === null || Array.isArray(pairs)) return null;
  return pairs as Readonly<Record<string, unknown>>;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Whether Postgres stores all texts; those of a JSON body are checked when it is read. */
function isStorable(metadata: Metadata): boolean {
  return Object.entries(metadata)
    .flat()
    .every((text) => text.isWellFormed() && !text.includes("\0"));
}
