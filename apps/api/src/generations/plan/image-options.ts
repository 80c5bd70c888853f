import {
  maxImages,
  type ModelCapability,
  type EngineParameters,
  type Operation,
  type Output,
  type OutputSpec,
  type RenderSpec,
} from "@atelier/schemas";
import { randomInt } from "node:crypto";

/** Some providers take seeds below 2³¹ only, also for the last of several images. */
const maxRandomSeed = 2 ** 31 - maxImages;

/** Options that requests share; some have only a part of them. */
interface OptionalFields {
  readonly seed?: number | undefined;
  readonly negative_prompt?: string | undefined;
  readonly background?: "opaque" | "transparent" | undefined;
  readonly mask?: object | undefined;
  readonly markup?: object | undefined;
  readonly parameters?: EngineParameters | undefined;
  readonly output?: Omit<Output, "inline"> | undefined;
}

/** An option of a request that its model must support, with its field. */
interface Need {
  readonly capability: ModelCapability;
  readonly path: string;
}

/** The options of a request, for its plan. */
export interface ImageOptions {
  /** The requested seed, or a random one. */
  readonly seed: number;
  readonly needs: readonly Need[];
  readonly spec: Pick<
    RenderSpec,
    "negativePrompt" | "background" | "capabilities" | "output" | "parameters"
  >;
}

/**
 * Reads the options of a request.
 *
 * @param operation the operation that a model used as a fallback must support, unless it follows from
 *   the kind of the generation.
 */
export function readImageOptions(body: OptionalFields, operation?: Operation): ImageOptions {
  const { negative_prompt: negativePrompt, background, output, parameters } = body;
  const needs: Need[] = [
    ...(body.seed === undefined ? [] : [{ capability: "seed", path: "seed" } as const]),
    ...(negativePrompt === undefined
      ? []
      : [{ capability: "negative_prompt", path: "negative_prompt" } as const]),
    ...(body.mask === undefined ? [] : [{ capability: "mask", path: "mask" } as const]),
    ...(body.markup === undefined ? [] : [{ capability: "markup", path: "markup" } as const]),
    ...(background === "transparent"
      ? [{ capability: "transparency", path: "background" } as const]
      : []),
  ];
  const capabilities = [
    ...(operation === undefined ? [] : [operation]),
    ...needs.map(({ capability }) => capability),
  ];
  return {
    seed: body.seed ?? randomInt(maxRandomSeed),
    needs,
    spec: {
      ...(negativePrompt !== undefined && { negativePrompt }),
      ...(background !== undefined && { background }),
      ...(parameters !== undefined && { parameters }),
      ...(capabilities.length > 0 && { capabilities }),
      ...(output !== undefined && { output: readOutput(output) }),
    },
  };
}

function readOutput({ formats, quality }: NonNullable<OptionalFields["output"]>): OutputSpec {
  return { formats: formats ?? ["jpeg", "webp"], quality: quality ?? null };
}
