/**
 * Reads the values at a path such as `data.0.url` in JSON. `*` stands for every element of a list.
 *
 * @returns an empty list when nothing is there.
 */
export function readPath(json: unknown, path: string): unknown[] {
  let found = [json];
  for (const part of path.split(".")) {
    found = found.flatMap((value): unknown[] => {
      if (typeof value !== "object" || value === null) return [];
      if (part === "*") return Object.values(value);
      return Object.hasOwn(value, part) ? [(value as Record<string, unknown>)[part]] : [];
    });
  }
  return found.filter((value) => value !== undefined && value !== null);
}

/** The first text or number at any of the paths; undefined without one. */
export function readFirst(
  json: unknown,
  paths: readonly string[],
): string | number | boolean | undefined {
  for (const path of paths) {
    const value = readPath(json, path).find((one) => typeof one !== "object");
    if (value !== undefined) return value as string | number | boolean;
  }
  return undefined;
}

/** The first text at any of the paths; undefined without one. */
export function readText(json: unknown, paths: readonly string[]): string | undefined {
  const value = readFirst(json, paths);
  return value === undefined ? undefined : String(value);
}
