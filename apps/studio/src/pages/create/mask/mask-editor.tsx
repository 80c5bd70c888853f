import { useMutation } from "@tanstack/react-query";
import { useRef, useState, type KeyboardEvent } from "react";
import { messageOf } from "../../../api.ts";
import { texts } from "../../../texts/change.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { uploadImage } from "../references/use-uploads.ts";
import { MaskCanvas, shownSize, widthOf, type Size } from "./mask-canvas.tsx";
import styles from "./mask-editor.module.css";
import { brushBounds, MaskTools, type Tool } from "./mask-tools.tsx";
import { RectangleFields } from "./rectangle-fields.tsx";
import {
  draw,
  exportDrawing,
  redo,
  undo,
  type Drawing,
  type DrawingKind,
  type Stroke,
} from "./strokes.ts";
import { wholeImage, zoomBy, zoomStep } from "./view.ts";

/** Thrown when nothing is drawn. */
class EmptyDrawingError extends Error {}

/** The width of the brush to begin with, in percent of the longer side. */
const firstBrush = { mask: 12, markup: 2 };

/** Draws the area of an image that changes, or hints over it, by a brush or by rectangles in numbers. */
export default function MaskEditor(props: {
  readonly kind: DrawingKind;
  readonly url: string;
  readonly drawing: Drawing;
  readonly onDrawing: (change: (before: Drawing) => Drawing) => void;
  /** Reads a new URL of the image. */
  readonly onExpired: () => void;
  readonly onClose: () => void;
  /** Receives the id of the uploaded drawing. */
  readonly onUpload: (uploadId: string) => void;
}) {
  const { kind, url, drawing, onDrawing: change, onExpired, onClose, onUpload } = props;
  const named = texts.change.drawings[kind];
  const [size, setSize] = useState<Size | null>(null);
  const [tool, setTool] = useState<Tool>("add");
  const [brush, setBrush] = useState(firstBrush[kind]);
  const [view, setView] = useState(wholeImage);
  const frame = useRef<HTMLDivElement>(null);
  // A rectangle is marked or erased, also while the hand is chosen.
  const mode = tool === "erase" ? tool : "add";
  const add = (stroke: Stroke) => change((before) => draw(before, stroke));
  const saving = useMutation({
    mutationFn: async (image: Size) => {
      const file = await exportDrawing(kind, image, drawing.strokes);
      if (file === null) throw new EmptyDrawingError();
      return uploadImage(file);
    },
    onSuccess: ({ id }) => onUpload(id),
  });
  function zoom(by: -1 | 0 | 1): void {
    const centre = { x: 0, y: 0 };
    if (by === 0) setView(wholeImage);
    else setView((before) => zoomBy(before, zoomStep ** by, centre, shownSize(frame)));
  }
  const resize = (by: number) =>
    setBrush((before) => Math.min(Math.max(before + by, brushBounds.min), brushBounds.max));
  function onKeyDown(event: KeyboardEvent): void {
    const isNumber = event.target instanceof HTMLInputElement && event.target.type === "number";
    if (isNumber || event.altKey) return;
    const key = event.key.toLowerCase();
    const isCommand = event.ctrlKey || event.metaKey;
    const name = isCommand ? `command ${event.shiftKey ? "shift " : ""}${key}` : key;
    const shortcut = shortcuts[name];
    if (shortcut === undefined) return;
    event.preventDefault();
    // The page behind the dialog undoes other things.
    event.stopPropagation();
    shortcut();
  }
  const shortcuts: Readonly<Partial<Record<string, () => void>>> = {
    "command z": () => change(undo),
    "command shift z": () => change(redo),
    "command y": () => change(redo),
    "+": () => zoom(1),
    "=": () => zoom(1),
    "-": () => zoom(-1),
    "0": () => zoom(0),
    ",": () => resize(-1),
    ".": () => resize(1),
    b: () => setTool("add"),
    e: () => setTool("erase"),
    h: () => setTool("move"),
  };
  return (
    <Dialog title={named.title} onClose={onClose} size="full">
      {/* Its keys work from every control. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className={styles.editor} onKeyDown={onKeyDown}>
        <MaskCanvas
          kind={kind}
          url={url}
          onExpired={onExpired}
          strokes={drawing.strokes}
          tool={tool}
          brush={brush}
          view={view}
          onView={setView}
          frame={frame}
          onSize={setSize}
          onStroke={add}
        />
        <div className={styles.panel}>
          <p>{named.hint}</p>
          <MaskTools
            tool={tool}
            brush={brush}
            scale={view.scale}
            canUndo={drawing.strokes.length > 0}
            canRedo={drawing.undone.length > 0}
            onTool={setTool}
            onBrush={setBrush}
            onZoom={zoom}
            onUndo={() => change(undo)}
            onRedo={() => change(redo)}
            onClear={() => add({ kind: "clear" })}
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
          <details className={styles.more}>
            <summary>{texts.change.drawing.keyboard.title}</summary>
            <p id="drawing-keys">{texts.change.drawing.keyboard.keys}</p>
          </details>
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
