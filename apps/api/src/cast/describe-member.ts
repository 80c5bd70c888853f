import type { Caller } from "@atelier/accounts";
import type { MemberKind, NewCharacter, NewLocation } from "@atelier/schemas";
import { cleanName, memberOfStory, suppliedSource, type NewCastMember } from "@atelier/stories";
import type { Needs } from "../dependencies.ts";
import { findStory } from "../generations/plan/find-story.ts";

/**
 * Describes a character or location that is to be kept, with its images: as its story does, or as the request
 * does.
 *
 * @throws AppError `reference_unreachable` for a story that the caller cannot read or that is not completed,
 *   `unknown_character` or `unknown_location` for a name that it does not have.
 */
export async function describeMember(
  kind: MemberKind,
  request: NewCharacter | NewLocation,
  caller: Caller,
  dependencies: Needs<"database">,
): Promise<NewCastMember> {
  const { name, story_job_id: jobId, description, reference } = request;
  if (jobId !== undefined) {
    const story = await findStory(jobId, caller, dependencies);
    // Errors name this field of the request.
    return memberOfStory({ kind, name }, story, "story_job_id");
  }
  if (description === undefined || reference === undefined) {
    throw new Error("a character without description or image was accepted");
  }
  const states = "states" in request ? Object.entries(request.states ?? {}) : [];
  return {
    name: cleanName(name),
    description,
    looks: [
      { state: null, description, source: suppliedSource(reference, "reference") },
      // The schema requires an image of each state here.
      ...states.flatMap(([key, state]) =>
        state.reference === undefined
          ? []
          : [
              {
                state: cleanName(key),
                description: state.description,
                source: suppliedSource(state.reference, `states.${key}.reference`),
              },
            ],
      ),
    ],
  };
}
