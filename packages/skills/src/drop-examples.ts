type Json = Record<string, unknown>;

/**
 * Removes the examples of an OpenAPI document that name certain models.
 *
 * @param models ids of the models.
 */
export function dropExamples(document: Json, models: readonly string[]): Json {
  if (models.length === 0) return document;
  const namesOne = (value: unknown) => {
    const text = JSON.stringify(value);
    return models.some((id) => text.includes(id));
  };
  return drop(document, namesOne) as Json;
}

function drop(value: unknown, isDropped: (example: unknown) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => drop(item, isDropped));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    if (key === "example") return isDropped(inner) ? [] : [[key, inner]];
    if (key !== "examples") return [[key, drop(inner, isDropped)]];
    const kept = keepExamples(inner, isDropped);
    return Object.keys(kept).length === 0 ? [] : [[key, kept]];
  });
  return Object.fromEntries(entries);
}

/** The examples of a schema are a list, those of a media type are named. */
function keepExamples(examples: unknown, isDropped: (example: unknown) => boolean): object {
  if (Array.isArray(examples)) return examples.filter((example) => !isDropped(example));
  return Object.fromEntries(
    Object.entries(examples as Json).filter(([, example]) => !isDropped(example)),
  );
}
