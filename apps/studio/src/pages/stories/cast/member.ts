/** A portrait, a look or a place of a story, as references of requests name it. */
export interface Member {
  readonly portrait?: string | undefined;
  readonly state?: string | undefined;
  readonly location?: string | undefined;
}

/** The job whose picture of a member is used instead of that of the story; saved in the book. */
export interface CastEntry extends Member {
  readonly job_id: string;
}

export function isSameMember(one: Member, other: Member): boolean {
  return (
    one.portrait === other.portrait && one.state === other.state && one.location === other.location
  );
}

/** Reads the choices of a saved book, which another client may have written. */
export function readEntries(saved: unknown): readonly CastEntry[] {
  if (!Array.isArray(saved)) return [];
  return saved.flatMap((entry: unknown): CastEntry[] => {
    if (typeof entry !== "object" || entry === null) return [];
    const { portrait, state, location, job_id: id } = entry as Record<string, unknown>;
    if (typeof id !== "string") return [];
    if (typeof location === "string") return [{ location, job_id: id }];
    if (typeof portrait !== "string") return [];
    return [typeof state === "string" ? { portrait, state, job_id: id } : { portrait, job_id: id }];
  });
}
