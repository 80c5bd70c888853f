import { readFile } from "node:fs/promises";
import type { Atelier, Generation, GenerateOptions } from "@atelier/client";
import { UsageError } from "@atelier/configuration";
import type { DeliveredFormat, Operation, Strictness } from "@atelier/schemas";
import type { Answer } from "../answer.ts";
import type { Caller } from "./call.ts";
import { describeCost } from "./describe-cost.ts";
import { firstModel } from "./first-model.ts";
import type { EngineFlags } from "./leaf.ts";
import { outputOf, readSize } from "./picture-flags.ts";
import { prepareOutput, saveImages } from "./save-images.ts";
import { uploadFile } from "./upload.ts";

/** Flags that all operations on images have. */
export interface OperationFlags {
  readonly model?: string;
  readonly size?: string;
  readonly quality?: number;
  readonly strictness?: Strictness;
  readonly n?: number;
  readonly seed?: number;
  readonly format?: DeliveredFormat;
  readonly output: string;
  readonly idempotencyKey?: string;
}

export interface EditFlags extends OperationFlags {
  readonly after?: readonly string[];
  readonly parameter?: EngineFlags;
  readonly mask?: string;
  readonly markup?: string;
  readonly strength?: number;
}

export interface CombineFlags extends OperationFlags {
  readonly parameter?: EngineFlags;
  readonly aspectRatio?: string;
  readonly image?: readonly { readonly source: string; readonly description: string }[];
}

export interface GraphicFlags extends OperationFlags {
  readonly aspectRatio?: string;
  readonly kind: "icon" | "logo" | "illustration";
  readonly palette?: readonly string[];
  readonly background?: string;
}

export interface DiagramFlags extends Omit<OperationFlags, "n" | "seed"> {
  readonly file?: string;
  readonly language?: "text" | "dot" | "mermaid";
  readonly direction?: "right" | "down";
  readonly palette?: readonly string[];
}

/** Edits an image: a file, a URL or the id of an upload. */
export async function edit(
  caller: Caller,
  image: string,
  prompt: string,
  flags: EditFlags,
): Promise<Answer> {
  return run(caller, "edit", flags, async (common, atelier, options) => {
    const source = await readSource(caller, image);
    const mask = flags.mask === undefined ? null : await readSource(caller, flags.mask);
    const markup = flags.markup === undefined ? null : await readSource(caller, flags.markup);
    const request = {
      ...common,
      prompt,
      image: source,
      mask,
      markup,
      strength: flags.strength ?? null,
      // A service of an earlier version does not know the field.
      ...(flags.after !== undefined && { after: flags.after }),
      parameters: flags.parameter ?? null,
    };
    return atelier.generateEdit({ ...request, ...series(flags) }, options);
  });
}

/** Combines two to five images. */
export async function combine(
  caller: Caller,
  prompt: string,
  flags: CombineFlags,
): Promise<Answer> {
  return run(caller, "combine", flags, async (common, atelier, options) => {
    const images = [];
    for (const { source, description } of flags.image ?? []) {
      images.push({ ...(await readSource(caller, source)), description });
    }
    const shape = { aspect_ratio: flags.aspectRatio ?? null };
    const parameters = flags.parameter ?? null;
    return atelier.generateCombination(
      { ...common, ...shape, ...series(flags), prompt, images, parameters },
      options,
    );
  });
}

/** Draws an icon, a logo or an illustration. */
export async function graphic(
  caller: Caller,
  prompt: string,
  flags: GraphicFlags,
): Promise<Answer> {
  const { aspectRatio, background, kind, palette } = flags;
  return run(caller, "graphic", flags, (common, atelier, options) =>
    atelier.generateGraphic(
      {
        ...common,
        ...series(flags),
        prompt,
        kind,
        palette: palette === undefined ? null : [...palette],
        background: background ?? null,
        aspect_ratio: aspectRatio ?? null,
      },
      options,
    ),
  );
}

/** Lays out a diagram in words, or in a file. */
export async function diagram(
  caller: Caller,
  words: string | undefined,
  flags: DiagramFlags,
): Promise<Answer> {
  const { direction, file, palette } = flags;
  if ((words === undefined) === (file === undefined)) {
    throw new UsageError("Give either the diagram in words, or a file with --file.");
  }
  return run(caller, "diagram", flags, async (common, atelier, options) => {
    const source = file === undefined ? null : (await read(file)).toString("utf8");
    const language = flags.language ?? (file === undefined ? null : languageOf(file));
    return atelier.generateDiagram(
      {
        ...common,
        prompt: words ?? null,
        source,
        language,
        direction: direction ?? null,
        palette: palette === undefined ? null : [...palette],
      },
      options,
    );
  });
}

/** The part of a request that all operations share. */
interface CommonRequest {
  readonly model: string;
  readonly image_size?: string | null;
  readonly strictness: Strictness | null;
}

/** Sends a request with the flags of the command, and saves what was made. */
export async function run(
  caller: Caller,
  operation: Exclude<Operation, "image" | "story">,
  flags: Omit<OperationFlags, "n" | "seed">,
  send: (request: CommonRequest, atelier: Atelier, options: GenerateOptions) => Promise<Generation>,
): Promise<Answer> {
  const { atelier, follow } = caller;
  await prepareOutput("image", flags);
  const common = {
    model: flags.model ?? (await firstModel(caller, operation)),
    ...readSize(flags.size),
    ...outputOf(flags),
    strictness: flags.strictness ?? null,
  };
  const options = { ...follow, idempotencyKey: flags.idempotencyKey };
  const generation = await send(common, atelier, options);
  const files = await saveImages(atelier, generation, { ...flags, signal: follow.signal });
  return {
    json: { ...generation, files },
    text: files.map(({ file }) => file).join("\n"),
    note: `Made with ${generation.model}. ${describeCost(generation)}`,
  };
}

function series({ n, seed }: Pick<OperationFlags, "n" | "seed">) {
  return { n: n ?? null, seed: seed ?? null };
}

/** Reads where an image comes from; a file is uploaded. */
export async function readSource(
  caller: Caller,
  source: string,
): Promise<{ readonly url: string } | { readonly upload_id: string }> {
  if (/^https?:\/\//.test(source)) return { url: source };
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(source)) return { upload_id: source };
  return { upload_id: (await uploadFile(caller, source)).id };
}

function languageOf(file: string): "text" | "dot" | "mermaid" {
  if (/\.(dot|gv)$/i.test(file)) return "dot";
  return /\.(mmd|mermaid)$/i.test(file) ? "mermaid" : "text";
}

async function read(file: string): Promise<Buffer> {
  return readFile(file).catch((cause: Error) => {
    throw new UsageError(`Cannot read ${file}: ${cause.message}`, { cause });
  });
}
