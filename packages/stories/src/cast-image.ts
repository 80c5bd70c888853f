import type { ImageRequest, MemberKind, ReferenceSpec } from "@atelier/schemas";
import { findState, unknownMember, unknownState, type CastMembers } from "./cast-members.ts";
import { duplicateProblems, referenceProblems, refuse, type PlanProblem } from "./check.ts";
import type { PlanModel } from "./facts.ts";
import { cleanName } from "./names.ts";
import { subjectReference } from "./references.ts";
import { checkLength, fieldsOf } from "./renders.ts";
import { labelTexts, type ClientText } from "./texts.ts";
import { appearanceIn, scenePrompt } from "./wording.ts";

/** An image with kept characters or a kept location, and what follows from them. */
interface CastImage {
  /** The request, with the names that the prompt uses. */
  readonly request: ImageRequest;
  /** The prompt of the request, followed by the descriptions. */
  readonly prompt: string;
  /** The paths of the texts in the prompt. */
  readonly composedOf: readonly string[];
  /** The images of the characters, in their order, then that of the location. */
  readonly references: readonly ReferenceSpec[];
  /** The texts of the prompt. */
  readonly texts: readonly ClientText[];
}

type ReferencesOfModel = Pick<PlanModel, "id" | "maxReferenceImages">;

/**
 * Describes the kept characters and the location of an image in its prompt, and references their images.
 *
 * @returns null for a request without any.
 * @throws AppError 422 `unknown_character`, `unknown_state`, `unknown_location`, `duplicate_name` or
 *   `references_not_supported`, with every such problem in `details`; 400 `invalid_request` when the complete
 *   prompt is too long.
 */
export function castImage(
  image: ImageRequest,
  members: CastMembers,
  model: ReferencesOfModel,
): CastImage | null {
  const subjects = subjectsOf(image);
  if (subjects.length === 0) return null;
  refuse(subjects.flatMap((subject) => memberProblems(subject, members)));
  const shown = subjects.map((subject) => describe(subject, members));
  const characters = shown.filter(({ kind }) => kind === "character");
  const location = shown.find(({ kind }) => kind === "location");
  refuse([
    ...duplicateProblems(characters, "characters"),
    ...referenceProblems(
      shown.map(({ source }) => source),
      model,
    ),
    ...countProblems(shown.length, image, model),
  ]);
  const texts = [
    { path: "prompt", text: image.prompt },
    ...shown.flatMap((subject) => labelTexts(subject, subject.path)),
  ];
  const content = { prompt: image.prompt, characters, location, seesReferences: true };
  const prompt = scenePrompt(content, {});
  checkLength({ prompt, path: "prompt" });
  return {
    request: {
      ...image,
      characters: image.characters?.map((one, index) => ({ ...one, ...nameOf(characters[index]) })),
      location: image.location && { ...image.location, ...nameOf(location) },
    },
    prompt,
    composedOf: fieldsOf({ path: "prompt", texts }),
    references: shown.map((subject) => subjectReference(subject.kind, subject, subject.source)),
    texts,
  };
}

/** A kept character or location that an image names. */
interface NamedMember {
  readonly kind: MemberKind;
  readonly id: string;
  /** In the request. */
  readonly path: string;
  /** Its place in the list of characters; 0 for a location. */
  readonly index: number;
  /** Default: its own name. */
  readonly name: string | undefined;
  readonly state: string | undefined;
}

function subjectsOf({ characters = [], location }: ImageRequest): NamedMember[] {
  const named = characters.map(({ character_id: id, name, state }, index): NamedMember => {
    return { kind: "character", id, path: `characters.${index}`, index, name, state };
  });
  if (location === undefined) return named;
  const { location_id: id, name } = location;
  return [...named, { kind: "location", id, path: "location", index: 0, name, state: undefined }];
}

function memberProblems(
  { kind, id, path, state, index }: NamedMember,
  members: CastMembers,
): PlanProblem[] {
  return [
    ...unknownMember(kind, id, members, path),
    ...unknownState(members.get(id), state, index),
  ];
}

function describe({ kind, id, path, name, state }: NamedMember, members: CastMembers) {
  const member = members.get(id);
  if (member === undefined) throw new Error(`${path} is not among the kept characters`);
  const look = findState(member, state);
  const { description } = member;
  return {
    kind,
    path,
    name: cleanName(name ?? member.name),
    description: look === undefined ? description : appearanceIn(description, look.description),
    source: {
      kind: "member" as const,
      member: kind,
      id,
      state: look?.state ?? null,
      path: `${path}.${kind}_id`,
    },
  };
}

function nameOf(subject: { readonly name: string } | undefined): { readonly name?: string } {
  return subject === undefined ? {} : { name: subject.name };
}

/** Rejects more images than the model accepts, with those that the request adds. */
function countProblems(
  shown: number,
  { characters, reference_images: others = [] }: ImageRequest,
  { id, maxReferenceImages: max }: ReferencesOfModel,
): PlanProblem[] {
  const count = shown + others.length;
  if (max === 0 || count <= max) return [];
  const message = `need ${count} reference images with the location and reference_images, and ${id} accepts at most ${max}`;
  const path = characters === undefined ? "location" : "characters";
  return [{ path, code: "references_not_supported", message, max }];
}
