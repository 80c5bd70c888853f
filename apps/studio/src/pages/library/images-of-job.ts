import type { GenerationResponse, Job, ListedJob } from "@atelier/schemas";
import { drawnPictures, imagesOf, type ResultImage } from "../../pictures/images-of.ts";
import { texts } from "../../texts/library.ts";

/** One image of a job, with a name if there are several. */
export interface NamedImage extends ResultImage {
  readonly name: string;
}

/** The images of a result: the scenes of a story, or the images of a prompt. */
export function imagesOfJob(result: GenerationResponse): readonly NamedImage[] {
  const images = imagesOf(result);
  return images.map((image, at) => {
    const scene = result.scenes?.[at];
    const name =
      scene === undefined
        ? texts.library.imageOf(at + 1, images.length)
        : texts.library.scene(scene.scene, scene.title);
    return { ...image, name };
  });
}

/** Pictures of the portraits and places that a story without scenes drew; of other jobs none. */
export function castPictures({
  result,
  renders = [],
}: Pick<ListedJob, "result" | "renders">): readonly string[] {
  if (result === null || imagesOf(result).length > 0) return [];
  const small = renders.flatMap(({ thumbnail_url: url }) => url ?? []);
  return small.length > 0 ? small : drawnPictures(result);
}

/** Whether the files of an image are still kept. */
export function isKept(image: ResultImage | undefined): boolean {
  return image !== undefined && Object.keys(image.formats).length > 0;
}

/** The job as lists show it: with its prompt instead of its request. */
export function toListed({ request, ...job }: Job): ListedJob {
  const prompt = request["prompt"];
  return { ...job, prompt: typeof prompt === "string" ? prompt : null };
}

/**
 * The name of a job: the title that it was given, that of its story, its prompt, or its kind, with the name of
 * the image that it changes.
 */
export function titleOf({
  operation,
  prompt,
  source,
  title,
}: Pick<ListedJob, "operation" | "prompt" | "source" | "title">) {
  const kind = texts.library.operations[operation];
  const changed = source?.prompt == null ? kind : texts.library.changed(kind, source.prompt);
  return title ?? prompt ?? changed;
}
