import { priceOf, resolveModel, type Catalogue } from "@atelier/models";
import type {
  GenerationPlan,
  Metadata,
  Operation,
  ReferenceSpec,
  RenderSpec,
  Strictness,
  Task,
} from "@atelier/schemas";
import { repeatRender } from "@atelier/stories";
import type { ImageOptions } from "./image-options.ts";

/** Fields that several operations have in their requests. */
interface OperationBody {
  readonly model: string;
  readonly image_size?: string | undefined;
  readonly strictness?: Strictness | undefined;
  readonly negative_prompt?: string | undefined;
}

/** A request, in the terms that all operations share. */
interface PlannedOperation {
  readonly operation: Operation;
  /** The request without its metadata. */
  readonly body: OperationBody;
  readonly metadata: Metadata;
  /** Defaults of the request's own fields, which are recorded with it. */
  readonly defaults: object;
  readonly prompt: string;
  /** The paths of the client's texts that the prompt is composed of. Default: `prompt` alone. */
  readonly composedOf?: readonly string[] | undefined;
  /** Undefined for the model's default; null for operations that have none in their request. */
  readonly aspectRatio: string | null | undefined;
  /** False for operations that have no image size in their request. Default: true. */
  readonly hasImageSize?: boolean;
  readonly count: number;
  readonly options: ImageOptions;
  readonly task?: Task;
  readonly references: readonly ReferenceSpec[];
  /** Number of images that count as the model's references. */
  readonly referenceImages: number;
  readonly hasClientImages: boolean;
  /** Texts that are moderated besides the prompt and the negative prompt. */
  readonly texts: RenderSpec["texts"];
}

/**
 * Plans the render of an operation, or several that differ in their seeds.
 *
 * @throws AppError when the model does not exist or lacks a requested feature.
 */
export function planOperation(
  request: PlannedOperation,
  accountStrictness: Strictness,
  catalogue: Catalogue,
): GenerationPlan {
  const { operation, body, prompt, composedOf, count, task, references, hasClientImages } = request;
  const { seed, needs, spec } = request.options;
  const { hasImageSize = true } = request;
  const { entry, aspectRatio, imageSize } = resolveModel(catalogue, {
    model: body.model,
    aspectRatio: request.aspectRatio ?? undefined,
    imageSize: body.image_size,
    referenceImages: request.referenceImages,
    operation,
    capabilities: needs,
    count,
    parameters: spec.parameters,
  });
  const strictness = body.strictness ?? accountStrictness;
  return {
    kind: "image",
    operation,
    model: entry.id,
    strictness,
    request: {
      ...body,
      model: entry.id,
      ...(request.aspectRatio !== null && { aspect_ratio: aspectRatio }),
      ...(hasImageSize && { image_size: imageSize }),
      strictness,
      ...request.defaults,
    },
    metadata: request.metadata,
    seed,
    title: null,
    price: {
      eachMicroEur: priceOf(entry, imageSize, { operation, steps: spec.parameters?.steps }),
      count,
      stepsMicroEur: 0n,
    },
    renders: repeatRender(
      {
        role: "image",
        lane: entry.provider,
        model: entry.id,
        waitsFor: [],
        spec: {
          prompt,
          ...(composedOf !== undefined && { composedOf }),
          aspectRatio,
          imageSize,
          seed,
          ...spec,
          ...(task !== undefined && { task }),
          name: null,
          state: null,
          title: null,
          references,
          hasClientImages,
          texts: [...negativePromptOf(body), ...request.texts],
        },
      },
      count,
    ),
  };
}

function negativePromptOf({ negative_prompt: text }: OperationBody): RenderSpec["texts"] {
  return text === undefined ? [] : [{ path: "negative_prompt", text }];
}

/** The descriptions of images in a list of a request, for moderation. */
export function descriptionsOf(
  images: readonly { readonly description: string }[],
  path: string,
): RenderSpec["texts"] {
  return images.map(({ description }, index) => ({
    path: `${path}.${index}.description`,
    text: description,
  }));
}
