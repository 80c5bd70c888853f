import {
  AppError,
  maxPromptLength,
  type PlannedRender,
  type ReferenceSpec,
  type RenderRole,
} from "@atelier/schemas";
import type { PlanFacts } from "./facts.ts";
import type { ImageSource } from "./references.ts";
import type { ClientText } from "./texts.ts";

/** A planned image before its position in the plan is known. */
interface Draft {
  readonly role: RenderRole;
  readonly prompt: string;
  readonly rawPrompt?: boolean;
  /** Path in the request of the text that this image is generated for. */
  readonly path: string;
  readonly aspectRatio: string;
  readonly references: readonly ReferenceSpec[];
  /** The client texts that it depends on. */
  readonly texts: readonly ClientText[];
  /** Positions of renders that must be completed first, whether used as references or not. */
  readonly after?: readonly number[];
  readonly name?: string;
  readonly state?: string;
  readonly title?: string | undefined;
}

/** A plan under construction. */
export interface Renders {
  readonly planned: readonly PlannedRender[];
  /**
   * Adds a render at the end of the plan.
   *
   * @returns the source of its future image.
   * @throws AppError `invalid_request` when its prompt is too long for any model, or the plan is
   *   too long.
   */
  add(draft: Draft): Extract<ImageSource, { kind: "render" }>;
}

/**
 * In characters, over all images. Each image carries the texts that are moderated before it is
 * generated, so a story with many images is many times as long as its request.
 */
const maxPlanLength = 1_000_000;

/**
 * Starts an empty plan.
 *
 * @param facts.allTexts the texts carried by renders without dependencies, so that all of them are
 *   moderated before the first image is generated.
 * @param facts.hasClientImages whether the request contains images; recorded in each render.
 */
export function createRenders(
  facts: PlanFacts & {
    readonly allTexts: readonly ClientText[];
    readonly hasClientImages: boolean;
  },
): Renders {
  const planned: PlannedRender[] = [];
  let planLength = 0;
  return {
    planned,
    add(draft) {
      checkLength(draft);
      const position = planned.length;
      const waitsFor = positionsBefore(draft);
      const texts = waitsFor.length === 0 ? facts.allTexts : draft.texts;
      planLength += lengthOf([...texts.map(({ text }) => text), draft.prompt]);
      if (planLength > maxPlanLength) throw planTooLong();
      planned.push({
        role: draft.role,
        lane: facts.model.lane,
        model: facts.model.id,
        waitsFor,
        spec: {
          prompt: draft.prompt,
          composedOf: draft.rawPrompt === true ? [draft.path] : fieldsOf(draft),
          aspectRatio: draft.aspectRatio,
          imageSize: facts.imageSize,
          seed: seedOf(draft.role, position, facts.seed),
          references: draft.references,
          ...facts.options,
          ...(draft.rawPrompt === true && { rawPrompt: true }),
          name: draft.name ?? null,
          state: draft.state ?? null,
          title: draft.title ?? null,
          hasClientImages: facts.hasClientImages,
          texts,
        },
      });
      return { kind: "render", position };
    },
  };
}

/** The paths of the texts in a prompt, first that of the text it is made for. */
export function fieldsOf({ path, texts }: Pick<Draft, "path" | "texts">): string[] {
  const fields = texts.map((text) => text.path).filter((field) => !besidePrompt.test(field));
  return [...new Set([path, ...fields])];
}

/** Texts that an image depends on and that its prompt does not contain. */
const besidePrompt = /^(?:negative_prompt$|reference_images\.|characters\.\d+\.states\.[^.]*$)/u;

function positionsBefore({ after = [], references }: Draft): number[] {
  const referenced = references.flatMap(({ source }) =>
    source.kind === "render" ? [source.position] : [],
  );
  return [...new Set([...referenced, ...after])].toSorted((a, b) => a - b);
}

/**
 * Portraits and states share the plan's seed: a model with seed support then frames and lights them
 * alike, and a state stays close to its portrait. Locations and scenes use seeds derived from it,
 * because equal seeds would give them similar compositions.
 */
function seedOf(role: RenderRole, position: number, seed: number): number {
  if (role !== "location" && role !== "scene") return seed;
  // Multiplying by an odd number modulo a power of two is a bijection, so all positions get
  // distinct seeds.
  const step = 0x9e_37_79_b1;
  return (seed + (position + 1) * step) % 2 ** 31;
}

/**
 * Rejects a complete prompt that is too long, although each of its texts is within its limit.
 *
 * @throws AppError `invalid_request`.
 */
export function checkLength({ prompt, path }: Pick<Draft, "prompt" | "path">): void {
  if (prompt.length <= maxPromptLength) return;
  const message =
    `The prompt of this image, made of this text, the descriptions of what it shows, and a ` +
    `story's prompt, setting and style, has ${prompt.length} characters; at most ${maxPromptLength} fit`;
  throw new AppError("invalid_request", `${path}: ${message}. Shorten them and send it again.`, {
    details: [{ path, code: "too_big", message }],
  });
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

function planTooLong(): AppError {
  const message = `its images carry more than ${maxPlanLength} characters of texts in all`;
  return new AppError(
    "invalid_request",
    `The story is too long: ${message}. Shorten its texts, or give it fewer characters, states and locations, and send it again.`,
    { details: [{ path: "", code: "too_big", message }] },
  );
}
