import type { Failure } from "../../../form/problems.ts";
import { problemsByField } from "../../../form/problems.ts";
import { texts } from "../../../texts/stories.ts";
import type { StoryBody } from "../story-request.ts";
import type { StoryDraft } from "./draft.ts";

/** Problems by the path of their field in the request. */
export type Problems = ReadonlyMap<string, string>;

/**
 * The problems of a refused request that the present one still has: those of fields that exist and
 * have not changed since. A name that occurs twice is also corrected by changing the other one, in
 * the list of characters or of a scene.
 */
export function remainingProblems(
  failure: Failure | null,
  refused: StoryBody | null,
  present: StoryBody,
): Problems {
  const isSame = (read: (body: StoryBody | null) => unknown) =>
    JSON.stringify(read(refused)) === JSON.stringify(read(present));
  const remains = (path: readonly string[]) =>
    valueAt(present, path.slice(0, -1)) !== undefined &&
    isSame((body) => valueAt(body, path)) &&
    isSame((body) => namesBeside(body, path));
  return new Map([...problemsByField(failure)].filter(([path]) => remains(path.split("."))));
}

/** Problems that a request does not show, because equal keys are one property. */
export function draftProblems({ characters }: StoryDraft): Problems {
  return new Map(
    characters.flatMap(({ states }, index) =>
      states.flatMap(({ key }, at) =>
        key.trim() !== "" && states.findIndex((one) => one.key.trim() === key.trim()) !== at
          ? [[`characters.${index}.states.${key.trim()}`, texts.stories.stateTwice] as const]
          : [],
      ),
    ),
  );
}

/** Returns the problem of the name of a look, which the service calls a key. */
export function lookProblem(problems: Problems, path: string, key: string): string | undefined {
  const problem = problems.get(path);
  return problem !== undefined && key.trim() === "" ? texts.stories.stateWithoutName : problem;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let inner = value;
  for (const step of path) {
    if (typeof inner !== "object" || inner === null) return undefined;
    inner = (inner as Readonly<Record<string, unknown>>)[step];
  }
  return inner;
}

/** The names in the list that the path of a name leads into; a scene may list names alone. */
function namesBeside(body: StoryBody | null, path: readonly string[]): unknown {
  const list = valueAt(body, path.slice(0, path.at(-1) === "name" ? -2 : -1));
  return Array.isArray(list) ? list.map((item) => valueAt(item, ["name"]) ?? item) : undefined;
}
