import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../../api.ts";
import { texts } from "../../../texts/change.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { uploadImage } from "../references/use-uploads.ts";
import { MaskCanvas, widthOf, type Size } from "./mask-canvas.tsx";
import styles from "./mask-editor.module.css";
import { MaskTools } from "./mask-tools.tsx";
import { RectangleFields } from "./rectangle-fields.tsx";
import { exportDrawing, type DrawingKind, type Stroke, type StrokeMode } from "./strokes.ts";

/** Thrown when nothing is drawn. */
class EmptyDrawingError extends Error {}

/** The width of the brush to begin with, in percent of the longer side. */
const firstBrush = { mask: 12, markup: 2 };

/** Draws the area of an image that changes, or hints over it, by a brush or by rectangles in numbers. */
export default function MaskEditor(props: {
  readonly kind: DrawingKind;
  readonly url: string;
  readonly strokes: readonly Stroke[];
  readonly onStrokes: (change: (before: readonly Stroke[]) => readonly Stroke[]) => void;
  /** Reads a new URL of the image. */
  readonly onExpired: () => void;
  readonly onClose: () => void;
  /** Receives the id of the uploaded drawing. */
  readonly onUpload: (uploadId: string) => void;
}) {
  const { kind, url, strokes, onStrokes: setStrokes, onExpired, onClose, onUpload } = props;
  const named = texts.change.drawings[kind];
  const [size, setSize] = useState<Size | null>(null);
  const [mode, setMode] = useState<StrokeMode>("add");
  const [brush, setBrush] = useState(firstBrush[kind]);
  const add = (stroke: Stroke) => setStrokes((before) => [...before, stroke]);
  const saving = useMutation({
    mutationFn: async (image: Size) => {
      const drawing = await exportDrawing(kind, image, strokes);
      if (drawing === null) throw new EmptyDrawingError();
      return uploadImage(drawing);
    },
    onSuccess: ({ id }) => onUpload(id),
  });
  return (
    <Dialog title={named.title} onClose={onClose} size="full">
      <div className={styles.editor}>
        <MaskCanvas
          kind={kind}
          url={url}
          onExpired={onExpired}
          strokes={strokes}
          mode={mode}
          brush={brush}
          onSize={setSize}
          onStroke={add}
        />
        <div className={styles.panel}>
          <p>{named.hint}</p>
          <MaskTools
            mode={mode}
            brush={brush}
            canUndo={strokes.length > 0}
            onMode={setMode}
            onBrush={setBrush}
            onUndo={() => setStrokes((before) => before.slice(0, -1))}
            onClear={() => setStrokes(() => [])}
            onInvert={kind === "mask" ? () => add({ kind: "invert" }) : undefined}
          />
          {size !== null && (
            <RectangleFields
              size={size}
              mode={mode}
              line={kind === "markup" && mode === "add" ? widthOf(brush, size) : undefined}
              onStroke={add}
            />
          )}
          {saving.error !== null && (
            <Notice kind="bad">
              {saving.error instanceof EmptyDrawingError ? named.empty : messageOf(saving.error)}
            </Notice>
          )}
          <Button
            look="primary"
            isBig
            disabled={size === null || saving.isPending}
            onClick={() => size !== null && saving.mutate(size)}
          >
            {saving.isPending ? texts.create.uploading : named.use}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
