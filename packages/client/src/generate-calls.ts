import type { Api } from "./api.ts";
import { createGenerate } from "./generate.ts";
import type { Jobs } from "./jobs.ts";
import type { GenerateOptions } from "./options.ts";
import type { components } from "./contract.ts";
import type { Generation, Job } from "./types.ts";

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

/** The methods that generate images, one for each operation. */
export interface GenerateCalls {
  /** Generates one image. */
  generateImage(request: ImageRequest, options?: GenerateOptions): Promise<Generation>;
  /** Generates one scene with the references of an earlier story. */
  generateScene(request: SceneRequest, options?: GenerateOptions): Promise<Generation>;
  /** Changes an image, inside a mask or everywhere. */
  generateEdit(request: EditRequest, options?: GenerateOptions): Promise<Generation>;
  /** Makes one image of two to five. */
  generateCombination(request: CombineRequest, options?: GenerateOptions): Promise<Generation>;
  /** Draws an icon, a logo or an illustration, also as SVG. */
  generateGraphic(request: GraphicRequest, options?: GenerateOptions): Promise<Generation>;
  /** Lays out a diagram, also as SVG. */
  generateDiagram(request: DiagramRequest, options?: GenerateOptions): Promise<Generation>;
  /** Generates a story: references first, then the scenes in order. */
  generateStory(request: StoryRequest, options?: GenerateOptions): Promise<Generation>;
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
} as const satisfies Readonly<Record<Job["operation"], keyof GenerateCalls>>;

/** Functions for all methods of `methods`, so that `GenerateCalls` declares no others. */
type Calls = Readonly<
  Record<
    (typeof methods)[keyof typeof methods],
    (request: object, options?: GenerateOptions) => Promise<Generation>
  >
>;

export function createGenerateCalls(api: Api, jobs: Jobs): GenerateCalls {
  const generate = createGenerate(api, jobs);
  const calls = Object.entries(methods).map(([operation, method]) => [
    method,
    (request: object, options?: GenerateOptions) =>
      generate(`/v1/generate/${operation}`, request, options),
  ]);
  return Object.fromEntries(calls) as Calls;
}
