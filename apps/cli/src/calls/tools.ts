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
