/** An OpenAPI document, or a part of one: plain JSON. */
type Json = Record<string, unknown>;

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/**
 * Restricts an OpenAPI document to some of its operations and the components that they use.
 *
 * @param operations such as `POST /v1/generate/image`.
 * @throws Error when the document lacks one of them.
 */
export function restrictOperations(document: object, operations: readonly string[]): Json {
  const { paths, components, tags, ...rest } = document as Json;
  const keptPaths: Record<string, Json> = {};
  for (const operation of operations) {
    const [method = "", path = ""] = operation.split(" ");
    const item = (paths as Record<string, Json> | undefined)?.[path];
    const found = item?.[method.toLowerCase()];
    if (item === undefined || found === undefined) {
      throw new Error(`the OpenAPI document has no ${operation}`);
    }
    const shared = Object.entries(item).filter(([key]) => !methods.includes(key));
    keptPaths[path] ??= Object.fromEntries(shared);
    keptPaths[path][method.toLowerCase()] = found;
  }
  const used = usedComponents(
    { paths: keptPaths, rest },
    (components ?? {}) as Record<string, Json>,
  );
  const tagNames = new Set(
    Object.values(keptPaths).flatMap((item) =>
      Object.values(item).flatMap((operation) => ((operation as Json)["tags"] as string[]) ?? []),
    ),
  );
  const keptTags = Array.isArray(tags)
    ? (tags as { name: string }[]).filter(({ name }) => tagNames.has(name))
    : [];
  return {
    ...rest,
    ...(keptTags.length === 0 ? {} : { tags: keptTags }),
    paths: keptPaths,
    components: used,
  };
}

/** The components referenced by `root`, directly or indirectly, and all security schemes. */
function usedComponents(root: Json, components: Record<string, Json>): Record<string, Json> {
  const used: Record<string, Json> = {};
  const open = references(root);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [, , kind = "", name = ""] = next.split("/");
    const component = components[kind]?.[name];
    if (component === undefined || used[kind]?.[name] !== undefined) continue;
    (used[kind] ??= {})[name] = component;
    open.push(...references(component));
  }
  const { securitySchemes } = components;
  return { ...used, ...(securitySchemes === undefined ? {} : { securitySchemes }) };
}

/** Every `$ref` in a value. */
function references(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "$ref" && typeof inner === "string" ? [inner] : references(inner),
  );
}
