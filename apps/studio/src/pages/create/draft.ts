import type { ImageSource, Job, Model } from "@atelier/schemas";
import { fitParameters, parametersOf, type Parameters } from "./parameters/read-schema.ts";

/** A reference image of the form: an upload or an image of a job, never its bytes. */
export interface DraftReference {
  readonly source: ImageSource;
  readonly description: string;
}

/** The image that an edit changes, and its mask. */
export interface DraftEdit {
  readonly image: ImageSource;
  /** The upload of the mask; null for the whole image. */
  readonly maskId: string | null;
  /** Values of the form before the edit, restored at its end. */
  readonly replaced?:
    | Pick<Draft, "prompt" | "references" | "count" | "seed" | "imageSize">
    | undefined;
}

/** The values of the form. Empty texts stand for the defaults of the service. */
export interface Draft {
  readonly model: string;
  readonly prompt: string;
  readonly aspectRatio: string;
  readonly imageSize: string;
  readonly count: number;
  readonly seed: string;
  readonly negativePrompt: string;
  readonly background: "opaque" | "transparent";
  readonly strictness: "" | "normal" | "liberal";
  /** Options of the engine, without those that are left to the model. */
  readonly parameters: Parameters;
  readonly references: readonly DraftReference[];
  /** Null for a new image. */
  readonly edit: DraftEdit | null;
}

const emptyDraft: Draft = {
  model: "",
  prompt: "",
  aspectRatio: "",
  imageSize: "",
  count: 1,
  seed: "",
  negativePrompt: "",
  background: "opaque",
  strictness: "",
  parameters: {},
  references: [],
  edit: null,
};

const storageKey = "atelier.draft.create";

/** The draft that this browser keeps. */
export function readDraft(): Draft {
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey) ?? "{}") as Partial<Draft>;
    return { ...emptyDraft, ...kept };
  } catch {
    return emptyDraft;
  }
}

/** Keeps the draft in this browser, as far as it has storage. */
export function writeDraft(draft: Draft): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(draft));
  } catch {
    // Without storage, the draft lasts as long as the page.
  }
}

/** The models that can do what the draft asks for. */
export function modelsFor(models: readonly Model[], { edit }: Draft): readonly Model[] {
  return models.filter(
    (model) =>
      model.operations.includes(edit === null ? "image" : "edit") &&
      (edit === null || edit.maskId === null || model.supports_mask),
  );
}

/** The draft with the defaults of the model for everything that the model does not offer. */
export function fitDraft(draft: Draft, model: Model): Draft {
  const { aspect_ratios: ratios, image_sizes: sizes } = model;
  return {
    ...draft,
    model: model.id,
    aspectRatio: ratios.includes(draft.aspectRatio)
      ? draft.aspectRatio
      : model.default_aspect_ratio,
    imageSize: sizes.includes(draft.imageSize) ? draft.imageSize : defaultSize(draft, model),
    count: Math.min(draft.count, model.max_n),
    seed: model.supports_seed ? draft.seed : "",
    negativePrompt: model.supports_negative_prompt ? draft.negativePrompt : "",
    background: model.supports_transparency ? draft.background : "opaque",
    parameters: fitParameters(draft.parameters, model.parameters),
    references: draft.references.slice(0, model.max_reference_images),
  };
}

/** The image size when none is chosen; empty for edits, whose size follows the image. */
function defaultSize({ edit }: Draft, model: Model): string {
  return edit === null ? model.default_image_size : "";
}

/** A request of the service. */
export interface DraftRequest {
  readonly operation: "image" | "edit";
  readonly body: Readonly<Record<string, unknown>>;
}

/** The request that the form stands for, without what equals the defaults of the service. */
export function requestOf(draft: Draft): DraftRequest {
  const { edit, references } = draft;
  const options = {
    model: draft.model,
    prompt: draft.prompt.trim(),
    ...(draft.imageSize === "" ? {} : { image_size: draft.imageSize }),
    ...(draft.count === 1 ? {} : { n: draft.count }),
    ...(draft.seed === "" ? {} : { seed: Number(draft.seed) }),
    ...(draft.negativePrompt.trim() === "" ? {} : { negative_prompt: draft.negativePrompt.trim() }),
    ...(draft.background === "opaque" ? {} : { background: draft.background }),
    ...(draft.strictness === "" ? {} : { strictness: draft.strictness }),
    ...(Object.keys(draft.parameters).length === 0 ? {} : { parameters: draft.parameters }),
    ...(references.length === 0
      ? {}
      : {
          reference_images: references.map(({ source, description }) => ({
            description: description.trim(),
            ...source,
          })),
        }),
  };
  if (edit === null) {
    return { operation: "image", body: { ...options, aspect_ratio: draft.aspectRatio } };
  }
  return {
    operation: "edit",
    body: {
      ...options,
      image: edit.image,
      ...(edit.maskId === null ? {} : { mask: { upload_id: edit.maskId } }),
    },
  };
}

/** Changes a draft: by new values, or by values that depend on the old ones. */
export type DraftChange = (change: Partial<Draft> | ((before: Draft) => Partial<Draft>)) => void;

/** An image of a job as a reference, described by its prompt. */
export function referenceOf(
  { id, request }: Pick<Job, "id" | "request">,
  image: { readonly index: number },
): DraftReference {
  const prompt = typeof request["prompt"] === "string" ? request["prompt"] : "";
  return { source: { job_id: id, image: image.index }, description: prompt.slice(0, 200) };
}

/** The draft for editing an image of a result. */
export function editOf(image: ImageSource, replaced?: DraftEdit["replaced"]): Partial<Draft> {
  return {
    edit: { image, maskId: null, replaced },
    prompt: "",
    imageSize: "",
    references: [],
    count: 1,
    seed: "",
  };
}

/** The draft that makes the same image again, of the request of a job and the seed of the image. */
export function againOf(
  request: Readonly<Record<string, unknown>>,
  seed: number | undefined,
): Partial<Draft> {
  const text = (name: string) => (typeof request[name] === "string" ? request[name] : "");
  const image = request["image"] as ImageSource | undefined;
  const mask = request["mask"] as ImageSource | undefined;
  const strictness = request["strictness"];
  const references = (request["reference_images"] ?? []) as readonly (ImageSource & {
    readonly description: string;
  })[];
  return {
    model: text("model"),
    prompt: text("prompt"),
    aspectRatio: text("aspect_ratio"),
    imageSize: text("image_size"),
    count: 1,
    seed: seed === undefined ? "" : String(seed),
    negativePrompt: text("negative_prompt"),
    strictness: strictness === "normal" || strictness === "liberal" ? strictness : "",
    background: request["background"] === "transparent" ? "transparent" : "opaque",
    parameters: parametersOf(request),
    references: references
      .filter(({ url }) => url === undefined)
      .map(({ description, ...source }) => ({ source, description })),
    edit: image === undefined ? null : { image, maskId: mask?.upload_id ?? null },
  };
}
