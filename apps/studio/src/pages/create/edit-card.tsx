import { Suspense, useState } from "react";
import { texts } from "../../texts.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { loadLater } from "../../ui/load-later.ts";
import { Picture } from "../../ui/picture.tsx";
import type { DraftChange, DraftEdit } from "./draft.ts";
import styles from "./edit-card.module.css";
import type { Stroke } from "./mask/strokes.ts";
import { useSource } from "./use-source.ts";

const MaskEditor = loadLater(async () => (await import("./mask/mask-editor.tsx")).default);

/** The image that is edited, and which part of it may change. */
export function EditCard(props: {
  readonly edit: DraftEdit;
  /** Whether a model can limit a change to a mask. */
  readonly canMask: boolean;
  readonly problem: string | undefined;
  readonly onChange: DraftChange;
}) {
  const { edit, canMask, onChange } = props;
  const [isOpen, setOpen] = useState(false);
  // What was painted stays when the dialog is closed.
  const [strokes, setStrokes] = useState<readonly Stroke[]>([]);
  const { url, thumbnailUrl, isMissing, refresh } = useSource(edit.image);
  const setMask = (maskId: string | null) => onChange({ edit: { ...edit, maskId } });
  const problem = isMissing ? texts.create.editMissing : props.problem;
  return (
    <section className={styles.card} aria-labelledby="edit-title">
      <span className={styles.picture}>
        {thumbnailUrl !== undefined && <Picture src={thumbnailUrl} alt="" onExpired={refresh} />}
      </span>
      <div>
        <h2 id="edit-title">{texts.create.editing}</h2>
        <p>{edit.maskId === null ? texts.create.editsAll : texts.create.editsMask}</p>
      </div>
      <div className={styles.actions}>
        {canMask && (
          <Button onClick={() => setOpen(true)} disabled={url === undefined}>
            <Icon name="brush" size={16} />
            {edit.maskId === null ? texts.create.chooseArea : texts.create.changeArea}
          </Button>
        )}
        {edit.maskId !== null && (
          <Button look="ghost" onClick={() => setMask(null)}>
            {texts.create.removeMask}
          </Button>
        )}
        <Button look="ghost" onClick={() => onChange({ ...edit.replaced, edit: null })}>
          {texts.create.stopEditing}
        </Button>
      </div>
      {problem !== undefined && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {isOpen && url !== undefined && (
        <Suspense fallback={null}>
          <MaskEditor
            url={url}
            strokes={strokes}
            onStrokes={setStrokes}
            onExpired={refresh}
            onClose={() => setOpen(false)}
            onMask={(maskId) => {
              setMask(maskId);
              setOpen(false);
            }}
          />
        </Suspense>
      )}
    </section>
  );
}
