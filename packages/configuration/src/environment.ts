/** Environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Removes empty variables, which count as absent and must not override defaults. */
export function withoutEmpty(environment: Environment): Record<string, string> {
  const set: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && value !== "") set[name] = value;
  }
  return set;
}
