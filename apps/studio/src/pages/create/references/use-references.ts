import type { ImageSource, Model } from "@atelier/schemas";
import { texts } from "../../../texts.ts";
import { showToast } from "../../../ui/toast.tsx";
import { withImage } from "../changes.ts";
import { isForTool, type Draft, type DraftChange, type DraftReference } from "../draft.ts";
import { useDroppedFiles } from "./use-dropped-files.ts";
import { useUploads } from "./use-uploads.ts";
import { withReference } from "./with-reference.ts";

/** The ways to add a reference to the form, or the image to change. */
export interface ReferenceInput {
  /** Adds files, or takes the first one as the image to change. */
  readonly upload: (files: readonly File[]) => void;
  /** Takes a file as the image to change. */
  readonly replace: (files: readonly File[]) => void;
  /** Adds an image of a job. */
  readonly refer: (reference: DraftReference) => void;
  /** Files that are being uploaded. */
  readonly pending: number;
  readonly problem: string | undefined;
  /** The problem of a file that was to be the image to change. */
  readonly imageProblem: string | undefined;
  /** Takes the problems of earlier files away: the form goes on without them. */
  readonly forget: () => void;
  /** Whether something is being dragged over the page that the form would take. */
  readonly isOver: boolean;
}

/**
 * Adds references: files, which are uploaded, and images of jobs. Without an image to change, and for a
 * tool, which takes no references, they become the image to change.
 *
 * @param draft as it fits the model.
 * @param models all models.
 */
export function useReferences(
  draft: Draft,
  model: Model | undefined,
  { models, change }: { readonly models: readonly Model[]; readonly change: DraftChange },
): ReferenceInput {
  const { edit, references } = draft;
  const isForImage = edit !== null && (edit.image === null || isForTool(draft));
  function changeImage(image: ImageSource): void {
    change(({ edit: before }) => (before === null ? {} : { edit: withImage(before, image) }));
  }
  const ofImage = useUploads(({ id }) => changeImage({ upload_id: id }));
  const replace = (files: readonly File[]) => ofImage.upload(files.slice(0, 1), 1);
  const { upload, pending, problem, forget } = useUploads(({ id }, { name }) =>
    change((before) => ({
      references: [
        ...before.references,
        { source: { upload_id: id }, description: describe(name) },
      ],
    })),
  );
  function uploadFiles(files: readonly File[]): void {
    if (isForImage) return replace(files);
    if (model === undefined) return;
    if (!model.supports_references) return showToast(texts.create.noReferences(model.name));
    upload(files, Math.max(0, model.max_reference_images - references.length - pending));
  }
  function forgetAll(): void {
    forget();
    ofImage.forget();
  }
  function refer(reference: DraftReference): void {
    forgetAll();
    const added = withReference(draft, reference, models);
    if (added === null) return;
    if (added.part !== null) change(added.part);
    showToast(added.message);
  }
  const isOver = useDroppedFiles({
    files: uploadFiles,
    image: (reference) => {
      forgetAll();
      if (isForImage) changeImage(reference.source);
      else refer(reference);
    },
  });
  return {
    upload: uploadFiles,
    replace,
    refer,
    pending: pending + ofImage.pending,
    problem,
    imageProblem: ofImage.problem,
    forget: forgetAll,
    isOver,
  };
}

/** A first description from the name of a file. */
function describe(name: string): string {
  return name
    .replace(/\.\w+$/, "")
    .replaceAll(/[^\p{Letter}\p{Number}]+/gu, " ")
    .trim();
}
