import type { ImageSource, Job, Model } from "@atelier/schemas";
import { readKeptDraft } from "../../data/kept-draft.ts";
import { fitParameters, parametersOf, type Parameters } from "../../form/parameters/read-schema.ts";
import {
  emptyEdit,
  firstValuesOf,
  isFormOperation,
  takesMask,
  type Change,
  type ChangeValues,
  type DraftEdit,
  type FormOperation,
} from "./changes.ts";
import type { ChosenStyle } from "./style/style-button.tsx";

/** A reference image of the form: an upload or an image of a job, never its bytes. */
export interface DraftReference {
  readonly source: ImageSource;
  readonly description: string;
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
  /** The style that was chosen last. */
  readonly style: ChosenStyle | null;
  /** Null for a new image. */
  readonly edit: DraftEdit | null;
  /** Values of the form before an image was changed, restored at its end. */
  readonly replaced: ReplacedValues | null;
}

type ReplacedValues = Pick<
  Draft,
  "model" | "prompt" | "references" | "count" | "seed" | "imageSize"
>;

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
  style: null,
  edit: null,
  replaced: null,
};

/** The draft that this tab keeps. */
export function readDraft(): Draft {
  const kept: Partial<Draft> = readKeptDraft("create");
  const { edit = null } = kept;
  // A draft of an older version has fewer fields.
  return { ...emptyDraft, ...kept, edit: edit === null ? null : { ...emptyEdit, ...edit } };
}

/** The operation that a draft asks for. */
export function operationOf({ edit }: Pick<Draft, "edit">): FormOperation {
  return edit?.operation ?? "image";
}

/** Whether a draft is for a tool, which has no prompt and no settings of an image. */
export function isForTool(draft: Pick<Draft, "edit">): boolean {
  return !["image", "edit"].includes(operationOf(draft));
}

/** The models that can do what the draft asks for. */
export function modelsFor(models: readonly Model[], { edit }: Draft): readonly Model[] {
  const operation = operationOf({ edit });
  return models.filter(
    (model) =>
      model.operations.includes(operation) &&
      (operation !== "edit" ||
        ((edit?.maskId == null || model.supports_mask) &&
          (edit?.markupId == null || model.supports_markup))),
  );
}

/** The number of images that a draft asks for. */
export function countOf(draft: Draft): number {
  return isForTool(draft) ? Number(draft.edit?.values["n"] ?? 1) : draft.count;
}

/** Whether the images that a request needs are chosen. */
export function hasImages({ edit }: Pick<Draft, "edit">): boolean {
  if (edit === null) return true;
  return edit.image !== null && (edit.operation !== "erase" || edit.maskId !== null);
}

/** Whether everything that a request needs is given. */
export function isComplete(draft: Draft): boolean {
  return hasImages(draft) && (isForTool(draft) || draft.prompt.trim() !== "");
}

/** The draft with the defaults of the model for everything that the model does not offer. */
export function fitDraft(draft: Draft, model: Model): Draft {
  if (isForTool(draft)) return { ...draft, model: model.id };
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
  readonly operation: FormOperation;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The request that the form stands for, without what equals the defaults of the service. */
export function requestOf(draft: Draft): DraftRequest {
  const { edit, model } = draft;
  const operation = operationOf(draft);
  if (edit === null) {
    return { operation, body: { ...optionsOf(draft), aspect_ratio: draft.aspectRatio } };
  }
  const images = {
    ...(edit.image === null ? {} : { image: edit.image }),
    ...(edit.maskId === null ? {} : { mask: { upload_id: edit.maskId } }),
    ...(edit.markupId === null ? {} : { markup: { upload_id: edit.markupId } }),
  };
  const values = givenValues(edit.values);
  if (operation === "edit") {
    return { operation, body: { ...optionsOf(draft), ...images, ...values } };
  }
  return { operation, body: { model, ...images, ...values, ...strictnessOf(draft) } };
}

function optionsOf(draft: Draft): object {
  const { references } = draft;
  return {
    model: draft.model,
    prompt: draft.prompt.trim(),
    ...(draft.imageSize === "" ? {} : { image_size: draft.imageSize }),
    ...(draft.count === 1 ? {} : { n: draft.count }),
    ...(draft.seed === "" ? {} : { seed: Number(draft.seed) }),
    ...(draft.negativePrompt.trim() === "" ? {} : { negative_prompt: draft.negativePrompt.trim() }),
    ...(draft.background === "opaque" ? {} : { background: draft.background }),
    ...strictnessOf(draft),
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
}

function strictnessOf({ strictness }: Draft): object {
  return strictness === "" ? {} : { strictness };
}

/** The values without texts that are empty. */
function givenValues(values: ChangeValues): ChangeValues {
  const trimmed = Object.entries(values).map(
    ([name, value]) => [name, typeof value === "string" ? value.trim() : value] as const,
  );
  return Object.fromEntries(trimmed.filter(([, value]) => value !== ""));
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

/** The draft for changing an image. */
export function changeOf(
  before: Draft,
  operation: Change,
  image: ImageSource | null,
): Partial<Draft> {
  const { model, prompt, references, count, seed, imageSize } = before;
  return {
    edit: { ...emptyEdit, operation, image, values: firstValuesOf(operation) },
    replaced: before.replaced ?? { model, prompt, references, count, seed, imageSize },
    prompt: "",
    imageSize: "",
    references: [],
    count: 1,
    seed: "",
  };
}

/** The draft for a new image, as it was before an image was changed. */
export function newImageOf({ replaced }: Draft): Partial<Draft> {
  return { ...replaced, replaced: null, edit: null };
}

/**
 * The draft for another operation. It keeps the image that is changed.
 *
 * @param shown the image to change when none was chosen; null for none.
 */
export function switchOperation(
  before: Draft,
  operation: FormOperation,
  shown: ImageSource | null,
): Partial<Draft> {
  const { edit } = before;
  if (operation === "image") return newImageOf(before);
  if (edit === null) return changeOf(before, operation, shown);
  return {
    edit: {
      ...edit,
      operation,
      maskId: takesMask(operation) ? edit.maskId : null,
      markupId: operation === "edit" ? edit.markupId : null,
      values: firstValuesOf(operation),
    },
  };
}

/** The draft that makes the same image again, of the request of a job and the seed of the image. */
export function againOf(
  { operation, request }: Pick<Job, "operation" | "request">,
  seed: number | undefined,
): Partial<Draft> {
  const text = (name: string) => (typeof request[name] === "string" ? request[name] : "");
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
    edit: editOf({ operation, request }),
    replaced: null,
  };
}

/**
 * The draft with the request of a preset. It keeps a prompt that the preset lacks, and the image that is
 * changed with its painted area. A tool has no settings of an image: those of the draft stay.
 */
export function presetOf(
  before: Draft,
  { operation, request }: Pick<Job, "operation" | "request">,
): Partial<Draft> {
  const { n, seed } = request;
  const part = againOf({ operation, request }, typeof seed === "number" ? seed : undefined);
  const filled = {
    ...part,
    prompt: part.prompt || before.prompt,
    count: typeof n === "number" ? n : 1,
  };
  if (operation === "image" || !isFormOperation(operation)) return filled;
  const switched = { ...before, ...switchOperation(before, operation, null) };
  const values = operation === "edit" ? strengthOf(request) : valuesOf(request);
  const edit = switched.edit === null ? null : { ...switched.edit, values };
  if (operation === "edit") return { ...filled, replaced: switched.replaced, edit };
  const { model = before.model, strictness = before.strictness } = part;
  return { ...switched, model, strictness, edit };
}

function editOf({ operation, request }: Pick<Job, "operation" | "request">): DraftEdit | null {
  const image = request["image"] as ImageSource | undefined;
  if (image === undefined || operation === "image" || !isFormOperation(operation)) return null;
  const uploadOf = (name: string) => (request[name] as ImageSource | undefined)?.upload_id ?? null;
  return {
    operation,
    image,
    maskId: uploadOf("mask"),
    markupId: uploadOf("markup"),
    values: operation === "edit" ? strengthOf(request) : valuesOf(request),
  };
}

function strengthOf({ strength }: Job["request"]): ChangeValues {
  return typeof strength === "number" ? { strength } : {};
}

/** Fields of all tools that the form keeps elsewhere. */
const commonFields: readonly string[] = ["model", "strictness", "webhook_url"];

function valuesOf(request: Job["request"]): ChangeValues {
  return Object.fromEntries(
    Object.entries(request).filter(
      (entry): entry is [string, number | string] =>
        ["number", "string"].includes(typeof entry[1]) && !commonFields.includes(entry[0]),
    ),
  );
}
