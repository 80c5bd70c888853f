import { maxStates, type ChangeCharacter, type ChangeLocation } from "@atelier/schemas";
import { refuse, type PlanProblem } from "./check.ts";
import { cleanName } from "./names.ts";
import { suppliedSource, type ImageSource } from "./references.ts";

/** A kept character or location without its images. */
export interface DescribedMember {
  readonly name: string;
  readonly description: string;
  /** The normal one first. */
  readonly looks: readonly DescribedLook[];
}

interface DescribedLook {
  /** Null for the normal look. */
  readonly state: string | null;
  readonly description: string;
}

/** A kept character or location after a change. */
export interface ChangedMember extends DescribedMember {
  readonly looks: readonly ChangedLook[];
}

export interface ChangedLook extends DescribedLook {
  /** Its new image; null if it keeps the one that it has. */
  readonly source: ImageSource | null;
}

type StateChange = NonNullable<NonNullable<ChangeCharacter["states"]>[string]>;

/**
 * Applies a change to a kept character or location: omitted properties and states stay, a state of null is
 * removed if there is one, and new states follow the others. A look keeps its image when the change moves it out
 * of a state that it removes, and that is gone: this change is repeated.
 *
 * @param id of the character or location.
 * @throws AppError 400 for a new state without description or image, and for too many states.
 */
export function changeMember(
  member: DescribedMember,
  change: ChangeCharacter | ChangeLocation,
  id: string,
): ChangedMember {
  const description = change.description ?? member.description;
  const states = Object.entries(("states" in change && change.states) || {}).map(
    ([key, state]) => [cleanName(key), state, `states.${key}`] as const,
  );
  const changes = new Map(states.map(([key, state, path]) => [key, { state, path }]));
  const others = member.looks.filter(({ state }) => state !== null);
  const known = others.flatMap(({ state }) => (state === null ? [] : [state]));
  refuse(states.flatMap(([key, state, path]) => problemsOf(key, state, path, known)));

  const kept = others.flatMap((look): ChangedLook[] => {
    const changed = changes.get(look.state ?? "");
    if (changed === undefined) return [{ ...look, source: null }];
    return changed.state === null ? [] : [keepMoved(changeLook(look, changed.state, changed.path))];
  });
  const added = states.flatMap(([key, state, path]): ChangedLook[] =>
    known.includes(key) || state === null
      ? []
      : [changeLook({ state: key, description: "" }, state, path)],
  );
  if (kept.length + added.length > maxStates) refuse([tooManyStates()]);
  const normal = keepMoved(changeLook({ state: null, description }, change, ""));
  return {
    name: change.name === undefined ? member.name : cleanName(change.name),
    description,
    looks: [normal, ...kept, ...added],
  };

  function keepMoved(look: ChangedLook): ChangedLook {
    const { source } = look;
    if (source?.kind !== "member" || source.id !== id || source.state === null) return look;
    const isRemoved = changes.get(source.state)?.state === null && !known.includes(source.state);
    return isRemoved ? { ...look, source: null } : look;
  }
}

function changeLook(look: DescribedLook, change: StateChange, path: string): ChangedLook {
  const { description = look.description, reference } = change;
  const at = path === "" ? "reference" : `${path}.reference`;
  const source = reference === undefined ? null : suppliedSource(reference, at);
  return { state: look.state, description, source };
}

function problemsOf(
  key: string,
  state: StateChange | null,
  path: string,
  known: readonly string[],
): PlanProblem[] {
  // A state that is absent is removed already, perhaps by this change, whose response was lost.
  if (state === null || known.includes(key)) return [];
  return (["description", "reference"] as const).flatMap((field) =>
    state[field] === undefined
      ? [
          {
            path: `${path}.${field}`,
            code: "invalid_request",
            message: "is required for a new state",
          } as const,
        ]
      : [],
  );
}

function tooManyStates(): PlanProblem {
  const message = `must leave at most ${maxStates} states`;
  return { path: "states", code: "invalid_request", message };
}
