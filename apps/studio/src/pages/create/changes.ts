import type { ImageSource, Model, Operation } from "@atelier/schemas";

/** The operations of the form that change an image, in the order of the form. */
export const changes = [
  "edit",
  "upscale",
  "remove-background",
  "outpaint",
  "erase",
  "vectorize",
  "variations",
] as const satisfies readonly Operation[];

/** An operation that changes an image. */
export type Change = (typeof changes)[number];

/** An operation of the form. */
export type FormOperation = "image" | Change;

/** Values of the fields that only changes have, by their names in requests. */
export type ChangeValues = Readonly<Record<string, number | string>>;

/** The image that an operation changes, and how. */
export interface DraftEdit {
  readonly operation: Change;
  /** Null until it is chosen. */
  readonly image: ImageSource | null;
  /** The upload of the mask; null for the whole image. */
  readonly maskId: string | null;
  /** The upload of hints that are drawn over the image; null for none. */
  readonly markupId: string | null;
  readonly values: ChangeValues;
}

/** An edit before anything was chosen. */
export const emptyEdit: DraftEdit = {
  operation: "edit",
  image: null,
  maskId: null,
  markupId: null,
  values: {},
};

/** Values to begin with, for tools that need one. */
const firstValues: Readonly<Partial<Record<Change, ChangeValues>>> = {
  upscale: { factor: 2 },
  outpaint: { left: 256, right: 256 },
};

/** The values that a form begins with. */
export function firstValuesOf(operation: Change): ChangeValues {
  return firstValues[operation] ?? {};
}

/** Values in pixels, which belong to one image. */
const pixelValues = ["top", "right", "bottom", "left", "width", "height"];

/** The change of another image: drawings and values in pixels belong to the image before. */
export function withImage(edit: DraftEdit, image: ImageSource): DraftEdit {
  const { operation, values } = edit;
  const others = Object.entries(values).filter(([name]) => !pixelValues.includes(name));
  return {
    ...edit,
    image,
    maskId: null,
    markupId: null,
    values:
      edit.image === null ? values : { ...firstValuesOf(operation), ...Object.fromEntries(others) },
  };
}

/** Whether the form can make requests of an operation. */
export function isFormOperation(operation: Operation): operation is FormOperation {
  return operation === "image" || changes.some((one) => one === operation);
}

/** The operations that at least one of the models can do; all of them until models are known. */
export function operationsOf(models: readonly Model[]): readonly FormOperation[] {
  const all: readonly FormOperation[] = ["image", ...changes];
  if (models.length === 0) return all;
  return all.filter((one) => models.some(({ operations }) => operations.includes(one)));
}

/** Whether an operation can be limited to an area of the image. */
export function takesMask(operation: Change): boolean {
  return operation === "edit" || operation === "erase";
}
