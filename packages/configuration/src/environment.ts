/** What a process is told by whoever starts it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** An empty variable counts as absent, and must not hide a default. */
export function withoutEmpty(environment: Environment): Record<string, string> {
  const set: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && value !== "") set[name] = value;
  }
  return set;
}
