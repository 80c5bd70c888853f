import type { MemberKind, StoryRequest } from "@atelier/schemas";
import { find, imageOf, type EarlierStory } from "./continue-story.ts";
import { refuse, unknown } from "./check.ts";
import { suppliedImage, type ImageSource } from "./references.ts";

/** A look of a character, or a location, with its image. */
interface MemberLook {
  /** Null for the normal look. */
  readonly state: string | null;
  readonly description: string;
  readonly source: ImageSource;
}

/** A character or location as it is to be kept; its first look is the normal one. */
export interface NewCastMember {
  readonly name: string;
  readonly description: string;
  readonly looks: readonly MemberLook[];
}

/**
 * Finds a character or location of a story, with the images that the story made or was given.
 *
 * @param path of the id of the story in the request.
 * @throws AppError 422 `unknown_character` or `unknown_location`.
 */
export function memberOfStory(
  { kind, name }: { readonly kind: MemberKind; readonly name: string },
  story: EarlierStory,
  path: string,
): NewCastMember {
  const { jobId, request } = story;
  const subjects = kind === "character" ? request.characters : (request.locations ?? []);
  const subject = find<StoredCharacter | StoryLocation>(subjects, name);
  if (subject === undefined) {
    const names = subjects.map((one) => one.name);
    refuse([unknown(`unknown_${kind}`, "name", `${kind} "${name}" is not in the story`, names)]);
    throw new Error("an unknown name was accepted");
  }
  const made =
    kind === "character"
      ? { job_id: jobId, portrait: subject.name }
      : { job_id: jobId, location: subject.name };
  const normal = { ...subject, state: null, source: sourceOf(imageOf(subject, made), path) };
  return {
    name: subject.name,
    description: subject.description,
    looks: [normal, ...stateKeys(subject).flatMap((key) => lookIn(subject, key, story, path))].map(
      ({ state, description, source }) => ({ state, description, source }),
    ),
  };
}

/** A stored request has the order of the states, which JSONB does not keep. */
type StoredCharacter = StoryRequest["characters"][number] & {
  readonly state_order?: readonly string[];
};
type StoryLocation = NonNullable<StoryRequest["locations"]>[number];

function stateKeys(subject: StoredCharacter | StoryLocation): readonly string[] {
  if (!("states" in subject)) return [];
  return subject.state_order ?? Object.keys(subject.states ?? {});
}

function lookIn(
  subject: StoredCharacter | StoryLocation,
  key: string,
  { jobId }: EarlierStory,
  path: string,
): MemberLook[] {
  const state = "states" in subject ? subject.states?.[key] : undefined;
  if (state === undefined) return [];
  const made = { job_id: jobId, portrait: subject.name, state: key };
  const source = sourceOf(imageOf(state, made), path);
  return [{ state: key, description: state.description, source }];
}

/** The path is that of the story, which names the image. */
function sourceOf(image: ReturnType<typeof imageOf>, path: string): ImageSource {
  const source = suppliedImage(image, path);
  if (source === null) throw new Error("a story has no such image");
  return { ...source, path };
}
