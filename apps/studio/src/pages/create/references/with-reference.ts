import type { Model } from "@atelier/schemas";
import { texts } from "../../../texts.ts";
import { isForTool, newImageOf, type Draft, type DraftReference } from "../draft.ts";

/**
 * The draft for a new image with another reference, and with another model if its own takes none.
 *
 * @returns null when no model takes references; `part` is null when the reference is not added.
 */
export function withReference(
  draft: Draft,
  reference: DraftReference,
  models: readonly Model[],
): { readonly part: Partial<Draft> | null; readonly message: string } | null {
  const before = { ...draft, ...(isForTool(draft) ? newImageOf(draft) : {}) };
  const { references } = before;
  const able = models.filter(
    ({ operations, supports_references: can }) => operations.includes("image") && can,
  );
  const own = able.find(({ id }) => id === before.model);
  const taking = own ?? able[0];
  if (taking === undefined) return null;
  if (references.some((one) => isSame(one, reference))) {
    return { part: null, message: texts.create.alreadyReference };
  }
  if (references.length >= taking.max_reference_images) {
    return { part: null, message: texts.create.referencesFull };
  }
  return {
    part: {
      ...before,
      edit: null,
      replaced: null,
      model: taking.id,
      references: [...references, reference],
    },
    message:
      taking === own ? texts.create.addedAsReference : texts.create.addedWithModel(taking.name),
  };
}

function isSame({ source }: DraftReference, { source: other }: DraftReference): boolean {
  return (
    source.job_id === other.job_id &&
    (source.image ?? 0) === (other.image ?? 0) &&
    source.upload_id === other.upload_id
  );
}
