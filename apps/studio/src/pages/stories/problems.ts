import type { Failure } from "../create/problems.ts";
import { problemsByField } from "../create/problems.ts";
import type { StoryDraft } from "./draft.ts";
import type { StoryBody } from "./story-request.ts";
import { texts } from "../../texts/stories.ts";

/** Problems by the path of their field in the request. */
export type Problems = ReadonlyMap<string, string>;

/**
 * The problems of a refused request that the present one still has: those of fields that have not
 * changed since.
 */
export function remainingProblems(
  failure: Failure | null,
  refused: StoryBody | null,
  present: StoryBody,
): Problems {
  const problems = problemsByField(failure);
  return new Map(
    [...problems].filter(
      ([path]) => JSON.stringify(valueAt(refused, path)) === JSON.stringify(valueAt(present, path)),
    ),
  );
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

function valueAt(value: unknown, path: string): unknown {
  let inner = value;
  for (const step of path.split(".")) {
    if (typeof inner !== "object" || inner === null) return undefined;
    inner = (inner as Readonly<Record<string, unknown>>)[step];
  }
  return inner;
}
