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

/** An image as it is planned, before its place in the plan is known. */
interface Draft {
  readonly role: RenderRole;
  readonly prompt: string;
  /** Place in the request of the text that this image is made for. */
  readonly path: string;
  readonly aspectRatio: string;
  readonly references: readonly ReferenceSpec[];
  /** The client's texts that it depends on. */
  readonly texts: readonly ClientText[];
  /** Positions of renders that must be done before, whether they are looked at or not. */
  readonly after?: readonly number[];
  readonly name?: string;
  readonly state?: string;
  readonly title?: string | undefined;
}

/** A plan that grows by one render at a time. */
export interface Renders {
  readonly planned: readonly PlannedRender[];
  /**
   * Adds a render at the end of the plan.
   *
   * @returns where its image will be.
   * @throws AppError `invalid_request` when its prompt is too long for any model, or the plan too long.
   */
  add(draft: Draft): Extract<ImageSource, { kind: "render" }>;
}

/**
 * In characters, of all images together. Each carries the texts that are moderated before it is made,
 * so that a story of many images is many times as long as its request.
 */
const maxPlanLength = 1_000_000;

/**
 * Starts an empty plan.
 *
 * @param facts.allTexts what the renders that wait for nothing carry, so that all of it is moderated
 *   before the first image is made.
 * @param facts.hasClientImages whether the request brings images, as each render is told.
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
          aspectRatio: draft.aspectRatio,
          imageSize: facts.imageSize,
          seed: seedOf(draft.role, position, facts.seed),
          references: draft.references,
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

function positionsBefore({ after = [], references }: Draft): number[] {
  const seen = references.flatMap(({ source }) =>
    source.kind === "render" ? [source.position] : [],
  );
  return [...new Set([...seen, ...after])].toSorted((a, b) => a - b);
}

/**
 * Portraits and states share the seed of the plan: with the same seed a model that takes one frames
 * and lights them alike, and a state stays close to its portrait. A location and a scene have one of
 * their own, derived from it: with the same seed such a model would compose all of them alike.
 */
function seedOf(role: RenderRole, position: number, seed: number): number {
  if (role !== "location" && role !== "scene") return seed;
  // An odd step modulo a power of two visits every value once: no two positions share a seed.
  const step = 0x9e_37_79_b1;
  return (seed + (position + 1) * step) % 2 ** 31;
}

/** Each text is short enough by itself; together in one prompt they may not be. */
function checkLength({ prompt, path }: Draft): void {
  if (prompt.length <= maxPromptLength) return;
  const message =
    `The prompt of this image, made of this text, the descriptions of what it shows, and the ` +
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
