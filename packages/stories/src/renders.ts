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
  /** Position of a render that must be done before, whether it is looked at or not. */
  readonly after?: number | null;
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
   * @throws AppError `invalid_request` when its prompt is too long for any model.
   */
  add(draft: Draft): Extract<ImageSource, { kind: "render" }>;
}

/**
 * Starts an empty plan.
 *
 * @param allTexts what the renders that wait for nothing carry, so that all of it is moderated
 *   before the first image is made.
 */
export function createRenders(facts: PlanFacts, allTexts: readonly ClientText[]): Renders {
  const planned: PlannedRender[] = [];
  return {
    planned,
    add(draft) {
      checkLength(draft);
      const position = planned.length;
      const waitsFor = positionsBefore(draft);
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
          texts: waitsFor.length === 0 ? allTexts : draft.texts,
        },
      });
      return { kind: "render", position };
    },
  };
}

function positionsBefore({ after, references }: Draft): number[] {
  const seen = references.flatMap(({ source }) =>
    source.kind === "render" ? [source.position] : [],
  );
  const all = after === undefined || after === null ? seen : [...seen, after];
  return [...new Set(all)].toSorted((a, b) => a - b);
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
