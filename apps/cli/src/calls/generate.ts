import { extname } from "node:path";
import { UsageError } from "@atelier/configuration";
import type { ImageFormat, Strictness } from "@atelier/schemas";
import type { Answer } from "../answer.ts";
import type { Caller } from "./call.ts";
import { firstModel } from "./first-model.ts";
import { isFolder } from "./is-folder.ts";
import type { EngineFlags } from "./leaf.ts";
import { describeCost } from "./describe-cost.ts";
import { outputOf, readSize } from "./picture-flags.ts";
import { prepareOutput, saveImages } from "./save-images.ts";

export interface GenerateFlags {
  readonly model?: string;
  readonly aspectRatio?: string;
  readonly size?: string;
  readonly quality?: number;
  readonly strictness?: Strictness;
  readonly n?: number;
  readonly seed?: number;
  readonly negative?: string;
  readonly transparent?: boolean;
  readonly after?: readonly string[];
  readonly parameter?: EngineFlags;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly reference?: readonly {
    readonly url?: string;
    readonly upload_id?: string;
    readonly description: string;
  }[];
  readonly character?: readonly { readonly character_id: string; readonly state?: string }[];
  readonly location?: string;
  readonly format?: ImageFormat;
  readonly output: string;
  readonly idempotencyKey?: string;
}

/** Makes one or several images of a prompt and saves them. */
export async function generate(
  caller: Caller,
  prompt: string,
  flags: GenerateFlags,
): Promise<Answer> {
  const { atelier, follow } = caller;
  if ((flags.n ?? 1) > 1 && extname(flags.output) !== "" && !(await isFolder(flags.output))) {
    throw new UsageError(`-n ${flags.n} makes several images: -o must be a folder.`);
  }
  await prepareOutput("image", flags);
  const model = flags.model ?? (await firstModel(caller, "image"));
  const image = await atelier.generateImage(
    {
      model,
      prompt,
      aspect_ratio: flags.aspectRatio ?? null,
      ...readSize(flags.size),
      ...outputOf(flags),
      strictness: flags.strictness ?? null,
      reference_images: flags.reference ?? null,
      characters: flags.character ?? null,
      location: flags.location === undefined ? null : { location_id: flags.location },
      n: flags.n ?? null,
      seed: flags.seed ?? null,
      negative_prompt: flags.negative ?? null,
      background: flags.transparent === true ? "transparent" : null,
      after: flags.after ?? null,
      parameters: flags.parameter ?? null,
      metadata: flags.metadata ?? null,
    },
    { ...follow, idempotencyKey: flags.idempotencyKey },
  );
  const files = await saveImages(atelier, image, { ...flags, signal: follow.signal });
  return {
    json: { ...image, files },
    text: files.map(({ file }) => file).join("\n"),
    note: `Made with ${image.model}. ${describeCost(image)}`,
  };
}
