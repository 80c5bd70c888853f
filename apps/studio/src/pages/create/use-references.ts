import type { Model } from "@atelier/schemas";
import { texts } from "../../texts.ts";
import { showToast } from "../../ui/toast.tsx";
import type { Draft, DraftChange, DraftReference } from "./draft.ts";
import { useDroppedFiles } from "./use-dropped-files.ts";
import { useUploads } from "./use-uploads.ts";

/** The ways to add a reference to the form. */
export interface ReferenceInput {
  readonly upload: (files: readonly File[]) => void;
  /** Adds an image of a job. */
  readonly refer: (reference: DraftReference) => void;
  /** Files that are being uploaded. */
  readonly pending: number;
  readonly problem: string | undefined;
  /** Whether something is being dragged over the page that would become a reference. */
  readonly isOver: boolean;
}

/**
 * Adds references: files, which are uploaded, and images of jobs.
 *
 * @param draft as it fits the model.
 * @param models those that make new images.
 */
export function useReferences(
  draft: Draft,
  model: Model | undefined,
  { models, change }: { readonly models: readonly Model[]; readonly change: DraftChange },
): ReferenceInput {
  const { references } = draft;
  const { upload, pending, problem } = useUploads(({ id }, { name }) =>
    change((before) => ({
      references: [
        ...before.references,
        { source: { upload_id: id }, description: describe(name) },
      ],
    })),
  );
  function uploadFiles(files: readonly File[]): void {
    if (model === undefined) return;
    if (!model.supports_references) return showToast(texts.create.noReferences(model.name));
    upload(files, Math.max(0, model.max_reference_images - references.length - pending));
  }
  function refer(reference: DraftReference): void {
    const taking = model?.supports_references === true ? model : models.find(takesReferences);
    if (taking === undefined) return;
    if (references.some((one) => isSame(one, reference))) {
      return showToast(texts.create.alreadyReference);
    }
    if (references.length >= taking.max_reference_images) {
      return showToast(texts.create.referencesFull);
    }
    change({ edit: null, model: taking.id, references: [...references, reference] });
    showToast(
      taking === model ? texts.create.addedAsReference : texts.create.addedWithModel(taking.name),
    );
  }
  const isOver = useDroppedFiles({ files: uploadFiles, image: refer });
  return { upload: uploadFiles, refer, pending, problem, isOver };
}

function takesReferences({ supports_references: isAble }: Model): boolean {
  return isAble;
}

function isSame({ source }: DraftReference, { source: other }: DraftReference): boolean {
  return (
    source.job_id === other.job_id &&
    (source.image ?? 0) === (other.image ?? 0) &&
    source.upload_id === other.upload_id
  );
}

/** A first description from the name of a file. */
function describe(name: string): string {
  return name
    .replace(/\.\w+$/, "")
    .replaceAll(/[^\p{Letter}\p{Number}]+/gu, " ")
    .trim();
}
