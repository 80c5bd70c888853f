import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../../api.ts";
import { texts } from "../../../texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { uploadImage } from "../use-uploads.ts";
import { MaskCanvas, type Size } from "./mask-canvas.tsx";
import styles from "./mask-editor.module.css";
import { MaskTools } from "./mask-tools.tsx";
import { RectangleFields } from "./rectangle-fields.tsx";
import { exportMask, type Stroke, type StrokeMode } from "./strokes.ts";

/** Thrown when nothing is marked. */
class EmptyMaskError extends Error {}

/** Marks the area of an image that an edit changes, by a brush or by rectangles in numbers. */
export default function MaskEditor(props: {
  readonly url: string;
  readonly strokes: readonly Stroke[];
  readonly onStrokes: (change: (before: readonly Stroke[]) => readonly Stroke[]) => void;
  /** Reads a new URL of the image. */
  readonly onExpired: () => void;
  readonly onClose: () => void;
  /** Receives the id of the uploaded mask. */
  readonly onMask: (uploadId: string) => void;
}) {
  const { url, strokes, onStrokes: setStrokes, onExpired, onClose, onMask } = props;
  const [size, setSize] = useState<Size | null>(null);
  const [mode, setMode] = useState<StrokeMode>("add");
  const [brush, setBrush] = useState(12);
  const add = (stroke: Stroke) => setStrokes((before) => [...before, stroke]);
  const saving = useMutation({
    mutationFn: async (image: Size) => {
      const mask = await exportMask(image, strokes);
      if (mask === null) throw new EmptyMaskError();
      return uploadImage(mask);
    },
    onSuccess: ({ id }) => onMask(id),
  });
  return (
    <Dialog title={texts.create.chooseArea} onClose={onClose} size="full">
      <div className={styles.editor}>
        <MaskCanvas
          url={url}
          onExpired={onExpired}
          strokes={strokes}
          mode={mode}
          brush={brush}
          onSize={setSize}
          onStroke={add}
        />
        <div className={styles.panel}>
          <p>{texts.create.maskHint}</p>
          <MaskTools
            mode={mode}
            brush={brush}
            canUndo={strokes.length > 0}
            onMode={setMode}
            onBrush={setBrush}
            onUndo={() => setStrokes((before) => before.slice(0, -1))}
            onClear={() => setStrokes(() => [])}
            onInvert={() => add({ kind: "invert" })}
          />
          {size !== null && <RectangleFields size={size} mode={mode} onStroke={add} />}
          {saving.error !== null && (
            <Notice kind="bad">
              {saving.error instanceof EmptyMaskError
                ? texts.create.maskEmpty
                : messageOf(saving.error)}
            </Notice>
          )}
          <Button
            look="primary"
            isBig
            disabled={size === null || saving.isPending}
            onClick={() => size !== null && saving.mutate(size)}
          >
            {saving.isPending ? texts.create.uploading : texts.create.useMask}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
