import type { Model } from "@atelier/schemas";
import { Suspense, useRef, useState } from "react";
import { problemAt } from "../../../form/problems.ts";
import { texts } from "../../../texts/change.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { loadLater } from "../../../ui/load-later.ts";
import { Picture } from "../../../ui/picture.tsx";
import type { DraftEdit } from "../changes.ts";
import { newImageOf, type DraftChange } from "../draft.ts";
import { emptyDrawing, type Drawing, type DrawingKind } from "../mask/strokes.ts";
import type { ReferenceInput } from "../references/use-references.ts";
import { useSource } from "../references/use-source.ts";
import { acceptedTypes } from "../references/use-uploads.ts";
import styles from "./change-card.module.css";
import { ChangeFields } from "./change-fields.tsx";
import { marginsOf, withMargins } from "./extend/margins.ts";

const ExtendFrame = loadLater(async () => (await import("./extend/extend-frame.tsx")).default);
const MaskEditor = loadLater(async () => (await import("../mask/mask-editor.tsx")).default);

/** The image that an operation changes, which part of it, and the fields of the change. */
export default function ChangeCard(props: {
  readonly edit: DraftEdit;
  readonly model: Model | undefined;
  /** All models, of which one may limit a change to a mask or take hints. */
  readonly models: readonly Model[];
  readonly problems: ReadonlyMap<string, string>;
  readonly input: ReferenceInput;
  readonly onChange: DraftChange;
}) {
  const { edit, model, models, problems, input, onChange } = props;
  const { operation, image } = edit;
  const { url, thumbnailUrl, isMissing, refresh } = useSource(image ?? {});
  const change = (part: Partial<DraftEdit>) => onChange({ edit: { ...edit, ...part } });
  const problem =
    image !== null && isMissing
      ? texts.change.missing
      : (input.imageProblem ??
        ["image", "mask", "markup"].map((name) => problemAt(problems, name)).find(Boolean));
  return (
    <section className={styles.card} aria-labelledby="edit-title">
      <span className={styles.picture}>
        {image !== null && thumbnailUrl !== undefined && (
          <Picture src={thumbnailUrl} alt="" onExpired={refresh} />
        )}
      </span>
      <div>
        <h2 id="edit-title">{texts.change.titles[operation]}</h2>
        <p>{describe(edit)}</p>
      </div>
      <div className={`${styles.actions} ${input.isOver ? styles.over : ""}`}>
        <FileButton
          name={image === null ? texts.change.chooseFile : texts.change.replace}
          input={input}
        />
        {/* What was drawn belongs to its image. */}
        {image !== null && (
          <Drawings
            key={JSON.stringify(image)}
            {...{ edit, models, url, refresh }}
            onChange={change}
          />
        )}
        <Button onClick={() => onChange(newImageOf)}>
          <Icon name="left" size={16} /> {texts.change.stop}
        </Button>
      </div>
      {problem !== undefined && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {operation === "outpaint" && image !== null && url !== undefined && (
        <Suspense fallback={null}>
          <ExtendFrame
            // The size of the image belongs to its picture.
            key={JSON.stringify(image)}
            url={url}
            onExpired={refresh}
            margins={marginsOf(edit.values)}
            onMargins={(margins) => change({ values: withMargins(edit.values, margins) })}
          />
        </Suspense>
      )}
      <ChangeFields
        key={operation}
        {...{ operation, model, problems }}
        values={edit.values}
        onChange={(values) => change({ values })}
      />
    </section>
  );
}

function describe({ operation, image, maskId, markupId }: DraftEdit): string {
  if (image === null) return texts.change.drop;
  if (markupId !== null) return texts.change.markupDrawn;
  const { marked, chosen } = texts.change;
  return maskId !== null && operation in marked
    ? marked[operation as keyof typeof marked]
    : chosen[operation];
}

function FileButton({ name, input }: { readonly name: string; readonly input: ReferenceInput }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={field}
        type="file"
        hidden
        accept={acceptedTypes}
        onChange={({ target }) => {
          input.replace([...(target.files ?? [])]);
          target.value = "";
        }}
      />
      <Button disabled={input.pending > 0} onClick={() => field.current?.click()}>
        <Icon name="upload" size={16} />
        {input.pending > 0 ? texts.create.uploading : name}
      </Button>
    </>
  );
}

/** Buttons for the mask and the hints, and their editor. A request has one of the two. */
function Drawings(props: {
  readonly edit: DraftEdit;
  readonly models: readonly Model[];
  readonly url: string | undefined;
  readonly refresh: () => void;
  readonly onChange: (part: Partial<DraftEdit>) => void;
}) {
  const { edit, models, url, refresh, onChange } = props;
  const { operation, maskId, markupId } = edit;
  const [open, setOpen] = useState<DrawingKind | null>(null);
  // What was drawn stays when the dialog is closed.
  const [drawings, setDrawings] = useState<Readonly<Record<DrawingKind, Drawing>>>({
    mask: emptyDrawing,
    markup: emptyDrawing,
  });
  const isEdit = operation === "edit";
  const canMask = operation === "erase" || (isEdit && models.some(({ supports_mask: can }) => can));
  const canMark = isEdit && models.some(({ supports_markup: can }) => can);
  return (
    <>
      {canMask && (
        <Button onClick={() => setOpen("mask")} disabled={url === undefined}>
          <Icon name="brush" size={16} />
          {maskId === null ? texts.change.area[isEdit ? "edit" : "erase"] : texts.change.changeArea}
        </Button>
      )}
      {isEdit && maskId !== null && (
        <Button look="ghost" onClick={() => onChange({ maskId: null })}>
          {texts.change.removeMask}
        </Button>
      )}
      {canMark && (
        <Button onClick={() => setOpen("markup")} disabled={url === undefined}>
          <Icon name="brush" size={16} />
          {markupId === null ? texts.change.drawMarkup : texts.change.editMarkup}
        </Button>
      )}
      {markupId !== null && (
        <Button look="ghost" onClick={() => onChange({ markupId: null })}>
          {texts.change.clearMarkup}
        </Button>
      )}
      {open !== null && url !== undefined && (
        <Suspense fallback={null}>
          <MaskEditor
            kind={open}
            url={url}
            drawing={drawings[open]}
            onDrawing={(changed) =>
              setDrawings((before) => ({ ...before, [open]: changed(before[open]) }))
            }
            onExpired={refresh}
            onClose={() => setOpen(null)}
            onUpload={(id) => {
              onChange(
                open === "mask" ? { maskId: id, markupId: null } : { maskId: null, markupId: id },
              );
              setOpen(null);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
