import type { Answer } from "../answer.ts";
import type { Caller } from "./call.ts";
import { readSource, run, type OperationFlags } from "./operations.ts";

/** Flags of all tools: commands that change an image without a prompt. */
export type ToolFlags = Omit<OperationFlags, "n" | "seed">;

export interface UpscaleFlags extends ToolFlags {
  readonly factor?: number;
}

/** Scales an image up: a file, a URL or the id of an upload. By 2 unless the flags say otherwise. */
export async function upscale(caller: Caller, image: string, flags: UpscaleFlags): Promise<Answer> {
  const factor = flags.factor ?? (flags.size === undefined ? 2 : null);
  return run(caller, "upscale", flags, async (common, atelier, options) =>
    atelier.generateUpscaled(
      { ...common, image: await readSource(caller, image), factor },
      options,
    ),
  );
}

/** Makes the background of an image transparent. */
export async function removeBackground(
  caller: Caller,
  image: string,
  flags: ToolFlags,
): Promise<Answer> {
  return run(caller, "remove-background", flags, async (common, atelier, options) =>
    atelier.generateCutOut({ ...common, image: await readSource(caller, image) }, options),
  );
}

export interface OutpaintFlags extends ToolFlags {
  readonly top?: number;
  readonly right?: number;
  readonly bottom?: number;
  readonly left?: number;
  readonly seed?: number;
}

/** Extends an image beyond its edges. */
export async function outpaint(
  caller: Caller,
  image: string,
  prompt: string | undefined,
  flags: OutpaintFlags,
): Promise<Answer> {
  const { top = null, right = null, bottom = null, left = null, seed = null } = flags;
  const extension = { top, right, bottom, left, prompt: prompt ?? null, seed };
  return run(caller, "outpaint", flags, async (common, atelier, options) =>
    atelier.generateOutpainted(
      { ...common, image: await readSource(caller, image), ...extension },
      options,
    ),
  );
}

/** Removes what a mask marks from an image. */
export async function erase(
  caller: Caller,
  image: string,
  mask: string,
  flags: ToolFlags,
): Promise<Answer> {
  return run(caller, "erase", flags, async (common, atelier, options) =>
    atelier.generateErased(
      {
        ...common,
        image: await readSource(caller, image),
        mask: await readSource(caller, mask),
      },
      options,
    ),
  );
}

export interface VectorizeFlags extends ToolFlags {
  readonly colors?: number;
}

/** Traces an image; saved as SVG unless the flags name another format. */
export async function vectorize(
  caller: Caller,
  image: string,
  flags: VectorizeFlags,
): Promise<Answer> {
  const { colors = null } = flags;
  const saved = { ...flags, format: flags.format ?? "svg" } as const;
  return run(caller, "vectorize", saved, async (common, atelier, options) =>
    atelier.generateVectorized(
      { ...common, image: await readSource(caller, image), colors },
      options,
    ),
  );
}

export interface VariationsFlags extends ToolFlags {
  readonly n?: number;
  readonly seed?: number;
  readonly strength?: number;
}

/** Makes variations of an image. */
export async function variations(
  caller: Caller,
  image: string,
  flags: VariationsFlags,
): Promise<Answer> {
  const { n = null, seed = null, strength = null } = flags;
  return run(caller, "variations", flags, async (common, atelier, options) =>
    atelier.generateVariations(
      { ...common, image: await readSource(caller, image), n, seed, strength },
      options,
    ),
  );
}
