/** An empty variable counts as absent, and must not hide a default. */
export function withoutEmpty(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const set: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && value !== "") set[name] = value;
  }
  return set;
}
