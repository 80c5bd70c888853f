import type { Job } from "@atelier/schemas";
import type { ShownRequest, StoryImage } from "../story-cards.ts";
import { shownOf } from "./cast.ts";
import type { Member } from "./member.ts";

/**
 * The request of a story whose scenes use the portraits and places that a job drew, which are not made and
 * charged again. Pictures that the client supplied stay.
 *
 * @param job a completed job with `cast_only`.
 * @param shown the pictures of the cast that scenes use, some of which other jobs may have made again.
 */
export function withCast(
  { id, request }: Pick<Job, "id" | "request">,
  shown: readonly StoryImage[],
): ShownRequest {
  const { cast_only: _castOnly, ...story }: ShownRequest = request;
  const drawn = <Subject extends { description: string }>(
    subject: Subject,
    member: Member,
  ): Subject => {
    if ("reference" in subject || "reference_url" in subject) return subject;
    const image = shownOf(shown, member);
    const { jobId = id, text: description = subject.description } = image ?? {};
    return { ...subject, description, reference: { job_id: jobId, ...member } };
  };
  return {
    ...story,
    characters: (story.characters ?? []).map(({ states, ...character }) => ({
      ...drawn(character, { portrait: character.name }),
      states:
        states &&
        Object.fromEntries(
          Object.entries(states).map(([state, look]) => [
            state,
            drawn(look, { portrait: character.name, state }),
          ]),
        ),
    })),
    locations: story.locations?.map((location) => drawn(location, { location: location.name })),
  };
}
