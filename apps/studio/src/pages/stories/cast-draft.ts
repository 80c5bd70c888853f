import type { Job } from "@atelier/schemas";
import type { ShownRequest } from "./story-cards.ts";

/**
 * The request of a story whose scenes use the portraits and places that a job drew, which are not made and
 * charged again. Pictures that the client supplied stay.
 *
 * @param job a completed job with `cast_only`.
 */
export function withCast({ id, request }: Pick<Job, "id" | "request">): ShownRequest {
  const { cast_only: _castOnly, ...story }: ShownRequest = request;
  const drawn = <Subject extends object>(subject: Subject, source: object): Subject =>
    "reference" in subject || "reference_url" in subject
      ? subject
      : { ...subject, reference: { job_id: id, ...source } };
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
