/** Properties that contain the URL of a reference. */
const urlProperties: ReadonlySet<string> = new Set(["url", "reference_url"]);

/**
 * Returns a stored request for its owner. The query of a reference URL may contain a signature or a
 * token of another service, so it is not returned.
 */
export function presentRequest(request: unknown): Record<string, unknown> {
  return presentProperties(request as object);
}

function presentProperties(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value)
      // The order of a character's states is stored for the presentation only. A state of this name
      // is an object.
      .filter(([name, inner]) => name !== "state_order" || !Array.isArray(inner))
      .map(([name, inner]) => [name, present(name, inner)]),
  );
}

function present(name: string, value: unknown): unknown {
  if (typeof value === "string") return urlProperties.has(name) ? withoutQuery(value) : value;
  if (Array.isArray(value)) return value.map((item) => present(name, item));
  return typeof value === "object" && value !== null ? presentProperties(value) : value;
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, "");
}
