const names = [
  "q",
  "operation",
  "status",
  "model",
  "key",
  "from",
  "to",
  "metadata",
  "hash",
  "similar_to",
  "starred",
  "collection",
] as const;

type FilterName = (typeof names)[number];

/**
 * Filters of the list of jobs, as the address has them. Empty texts stand for no limit. `from` and
 * `to` are days such as 2026-11-22 in the time zone of the browser; `metadata` is one `name=value`; `hash`
 * and `similar_to` are the SHA-256 of a file; `starred` is `true` or empty; `collection` is an id.
 */
export type Filters = Readonly<Record<FilterName, string>>;

/** The filters of an address. */
export function readFilters(search: URLSearchParams): Filters {
  return Object.fromEntries(names.map((name) => [name, search.get(name) ?? ""])) as Filters;
}

/** The address with some filters changed. */
export function withFilters(search: URLSearchParams, part: Partial<Filters>): URLSearchParams {
  const changed = new URLSearchParams(search);
  for (const [name, value] of Object.entries(part)) {
    if (value === "") changed.delete(name);
    else changed.set(name, value);
  }
  return changed;
}

/** All filters without a limit. */
export const noFilters = readFilters(new URLSearchParams());

/** The number of filters that limit the list. */
export function countFilters(filters: Filters): number {
  return names.filter((name) => filters[name] !== "").length;
}

/** Whether a text is a pair of metadata, such as `order=A-1027`. */
export function isPair(text: string): boolean {
  return text.indexOf("=") > 0;
}

/** The query of `GET /v1/jobs` for the filters, without the page. */
export function queryOf({ from, to, metadata, ...same }: Filters): string {
  const query = new URLSearchParams(Object.entries(same).filter(([, value]) => value !== ""));
  if (from !== "") query.set("created_after", startOf(from, 0));
  if (to !== "") query.set("created_before", startOf(to, 1));
  if (isPair(metadata)) {
    const at = metadata.indexOf("=");
    query.set(`metadata.${metadata.slice(0, at)}`, metadata.slice(at + 1));
  }
  return query.toString();
}

/** When a day, or one after it, starts. Other texts are left to the service, which refuses them. */
function startOf(day: string, daysLater: number): string {
  const start = new Date(`${day}T00:00`);
  if (Number.isNaN(start.getTime())) return day;
  start.setDate(start.getDate() + daysLater);
  return start.toISOString();
}
