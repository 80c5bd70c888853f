import type { Api } from "./api.ts";
import { createGenerate } from "./generate.ts";
import type { Jobs } from "./jobs.ts";
import type { GenerateOptions } from "./options.ts";
import type { components } from "./contract.ts";
import type {
  CombinedResult,
  DiagramResult,
  ImageResult,
  Job,
  StoryResult,
  TracedResult,
} from "./types.ts";

type Schemas = components["schemas"];

/** Body of `POST /v1/generate/image`. */
export type ImageRequest = Schemas["ImageRequest"];
/** Body of `POST /v1/generate/story`. */
export type StoryRequest = Schemas["StoryRequest"];
/** Body of `POST /v1/generate/scene`. */
export type SceneRequest = Schemas["SceneRequest"];
/** Body of `POST /v1/generate/edit`. */
export type EditRequest = Schemas["EditRequest"];
/** Body of `POST /v1/generate/combine`. */
export type CombineRequest = Schemas["CombineRequest"];
/** Body of `POST /v1/generate/graphic`. */
export type GraphicRequest = Schemas["GraphicRequest"];
/** Body of `POST /v1/generate/diagram`. */
export type DiagramRequest = Schemas["DiagramRequest"];
/** Body of `POST /v1/generate/upscale`. */
export type UpscaleRequest = Schemas["UpscaleRequest"];
/** Body of `POST /v1/generate/remove-background`. */
export type RemoveBackgroundRequest = Schemas["RemoveBackgroundRequest"];

/** Body of `POST /v1/generate/outpaint`. */
export type OutpaintRequest = Schemas["OutpaintRequest"];
/** Body of `POST /v1/generate/erase`. */
export type EraseRequest = Schemas["EraseRequest"];
/** Body of `POST /v1/generate/vectorize`. */
export type VectorizeRequest = Schemas["VectorizeRequest"];
/** Body of `POST /v1/generate/variations`. */
export type VariationsRequest = Schemas["VariationsRequest"];

/** The methods that generate images, one for each operation. */
export interface GenerateCalls {
  /**
   * Generates one image, or several with `n`. Waits until it is done.
   *
   * @example
   * ```ts
   * const image = await atelier.generateImage({
   *   model: "builtin-illustrator",
   *   prompt: "A red fox in a snowy birch forest",
   *   aspect_ratio: "16:9",
   * });
   * console.log(image.image_url, image.cost_eur);
   * ```
   */
  generateImage(request: ImageRequest, options?: GenerateOptions): Promise<ImageResult>;
  /**
   * Generates one scene with the references of an earlier story.
   *
   * @example
   * ```ts
   * const scene = await atelier.generateScene({
   *   model: "builtin-illustrator",
   *   prompt: "Mira on a mountain at night",
   *   characters: [
   *     {
   *       name: "Mira",
   *       description: "a girl with red hair",
   *       reference_url: story.characters[0]?.reference_url ?? "",
   *     },
   *   ],
   * });
   * ```
   */
  generateScene(request: SceneRequest, options?: GenerateOptions): Promise<ImageResult>;
  /**
   * Changes an image, inside a mask or everywhere.
   *
   * @example
   * ```ts
   * const night = await atelier.generateEdit({
   *   model: "builtin-illustrator",
   *   prompt: "the same bay at night",
   *   image: { job_id: image.id },
   *   strength: 0.5,
   * });
   * ```
   */
  generateEdit(request: EditRequest, options?: GenerateOptions): Promise<ImageResult>;
  /**
   * Makes one image of two to five.
   *
   * @example
   * ```ts
   * const both = await atelier.generateCombination({
   *   model: "builtin-illustrator",
   *   prompt: "the fox in the bay",
   *   images: [
   *     { description: "the fox", job_id: fox.id },
   *     { description: "the bay", job_id: bay.id },
   *   ],
   * });
   * ```
   */
  generateCombination(request: CombineRequest, options?: GenerateOptions): Promise<CombinedResult>;
  /**
   * Draws an icon, a logo or an illustration, also as SVG.
   *
   * @example
   * ```ts
   * const icon = await atelier.generateGraphic({
   *   model: "builtin-graphic",
   *   kind: "icon",
   *   prompt: "a sailing boat",
   *   background: "transparent",
   * });
   * ```
   */
  generateGraphic(request: GraphicRequest, options?: GenerateOptions): Promise<ImageResult>;
  /**
   * Lays out a diagram from words or a source, also as SVG.
   *
   * @example
   * ```ts
   * const diagram = await atelier.generateDiagram({
   *   model: "builtin-diagram",
   *   source: "graph LR\n  request --> queue --> worker",
   *   language: "mermaid",
   * });
   * ```
   */
  generateDiagram(request: DiagramRequest, options?: GenerateOptions): Promise<DiagramResult>;
  /**
   * Makes an image larger, by a factor or to an exact size.
   *
   * @example
   * ```ts
   * const large = await atelier.generateUpscaled({
   *   model: "builtin-upscaler",
   *   image: { job_id: image.id },
   *   factor: 2,
   * });
   * console.log(large.width, large.height);
   * ```
   */
  generateUpscaled(request: UpscaleRequest, options?: GenerateOptions): Promise<ImageResult>;
  /**
   * Makes the background of an image transparent.
   *
   * @example
   * ```ts
   * const icon = await atelier.generateGraphic({
   *   model: "builtin-graphic",
   *   kind: "icon",
   *   prompt: "a sailing boat",
   *   background: "#ffffff",
   * });
   * const boat = await atelier.generateCutOut({
   *   model: "builtin-cutout",
   *   image: { job_id: icon.id },
   * });
   * ```
   */
  generateCutOut(request: RemoveBackgroundRequest, options?: GenerateOptions): Promise<ImageResult>;
  /**
   * Extends an image beyond its edges.
   *
   * @example
   * ```ts
   * const wide = await atelier.generateOutpainted({
   *   model: "builtin-illustrator",
   *   image: { job_id: image.id },
   *   left: 256,
   *   right: 256,
   *   prompt: "a wide sandy beach",
   * });
   * ```
   */
  generateOutpainted(request: OutpaintRequest, options?: GenerateOptions): Promise<ImageResult>;
  /**
   * Removes what a mask marks in white, and fills the area from its surroundings.
   *
   * @example
   * ```ts
   * const empty = await atelier.generateErased({
   *   model: "builtin-illustrator",
   *   image: { job_id: image.id },
   *   mask: { upload_id: mask.id },
   * });
   * ```
   */
  generateErased(request: EraseRequest, options?: GenerateOptions): Promise<ImageResult>;
  /**
   * Traces an image as SVG.
   *
   * @example
   * ```ts
   * const traced = await atelier.generateVectorized({
   *   model: "builtin-tracer",
   *   image: { job_id: image.id },
   *   colors: 8,
   * });
   * console.log(traced.formats.svg?.url);
   * ```
   */
  generateVectorized(request: VectorizeRequest, options?: GenerateOptions): Promise<TracedResult>;
  /**
   * Makes images that differ from an image in details.
   *
   * @example
   * ```ts
   * const { images } = await atelier.generateVariations({
   *   model: "builtin-illustrator",
   *   image: { job_id: image.id },
   *   n: 3,
   * });
   * ```
   */
  generateVariations(request: VariationsRequest, options?: GenerateOptions): Promise<ImageResult>;
  /**
   * Generates a story: references first, then the scenes in order. It may take minutes.
   *
   * @example
   * ```ts
   * const story = await atelier.generateStory(
   *   {
   *     model: "builtin-illustrator",
   *     characters: [{ name: "Mira", description: "a girl with red hair" }],
   *     scenes: [{ prompt: "Mira by the sea", characters: [{ name: "Mira" }] }],
   *   },
   *   { onProgress: (job) => console.log(job.scenes_completed, job.scenes_total) },
   * );
   * console.log(story.scenes.length);
   * ```
   */
  generateStory(request: StoryRequest, options?: GenerateOptions): Promise<StoryResult>;
}

/** The method of each operation. */
const methods = {
  image: "generateImage",
  story: "generateStory",
  scene: "generateScene",
  edit: "generateEdit",
  combine: "generateCombination",
  graphic: "generateGraphic",
  diagram: "generateDiagram",
  upscale: "generateUpscaled",
  "remove-background": "generateCutOut",
  outpaint: "generateOutpainted",
  erase: "generateErased",
  vectorize: "generateVectorized",
  variations: "generateVariations",
} as const satisfies Readonly<Record<Job["operation"], keyof GenerateCalls>>;

/** Functions for all methods of `methods`, so that `GenerateCalls` declares no others. */
type Calls = Readonly<
  Record<
    (typeof methods)[keyof typeof methods],
    (request: object, options?: GenerateOptions) => Promise<never>
  >
>;

export function createGenerateCalls(api: Api, jobs: Jobs): GenerateCalls {
  const generate = createGenerate(api, jobs);
  const calls = Object.entries(methods).map(([operation, method]) => [
    method,
    (request: object, options?: GenerateOptions) =>
      generate(`POST /v1/generate/${operation}`, request, options),
  ]);
  // The contract gives each operation its result, which is complete right after it was made.
  return Object.fromEntries(calls) as Calls;
}
