import { useEffect, useRef, useState, type PointerEvent } from "react";
import { texts } from "../../../texts/change.ts";
import { Picture } from "../../../ui/picture.tsx";
import styles from "./mask-editor.module.css";
import {
  drawStrokes,
  markupColor,
  type DrawingKind,
  type Stroke,
  type StrokeMode,
} from "./strokes.ts";

/** Width and height in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The colour of the area that changes; the style sheet makes it translucent. */
const areaColor = "#e0561b";

/** The width in pixels of a brush in percent of the longer side. */
export function widthOf(brush: number, { width, height }: Size): number {
  return Math.max(1, (Math.max(width, height) * brush) / 100);
}

/** The image, on which a pointer draws. */
export function MaskCanvas(props: {
  readonly kind: DrawingKind;
  readonly url: string;
  readonly onExpired: () => void;
  readonly strokes: readonly Stroke[];
  readonly mode: StrokeMode;
  /** Diameter of the brush in percent of the longer side. */
  readonly brush: number;
  readonly onSize: (size: Size) => void;
  readonly onStroke: (stroke: Stroke) => void;
}) {
  const { kind, url, onExpired, strokes, mode, brush, onSize, onStroke } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState<Size | null>(null);
  const [current, setCurrent] = useState<Extract<Stroke, { kind: "brush" }> | null>(null);
  useEffect(() => {
    if (canvas.current === null || size === null) return;
    const drawn = current === null ? strokes : [...strokes, current];
    drawStrokes(canvas.current, drawn, kind === "mask" ? areaColor : markupColor);
  }, [kind, strokes, current, size]);

  function pointOf(event: PointerEvent<HTMLCanvasElement>): readonly [number, number] {
    const { left, top, width } = event.currentTarget.getBoundingClientRect();
    const scale = event.currentTarget.width / width;
    return [Math.round((event.clientX - left) * scale), Math.round((event.clientY - top) * scale)];
  }
  function begin(event: PointerEvent<HTMLCanvasElement>): void {
    if (size === null || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setCurrent({ kind: "brush", mode, size: widthOf(brush, size), points: [pointOf(event)] });
  }
  function move(event: PointerEvent<HTMLCanvasElement>): void {
    if (current === null) return;
    setCurrent({ ...current, points: [...current.points, pointOf(event)] });
  }
  function end(): void {
    if (current !== null) onStroke(current);
    setCurrent(null);
  }
  return (
    <div className={styles.stage}>
      <div
        className={styles.frame}
        style={size === null ? undefined : { aspectRatio: `${size.width} / ${size.height}` }}
      >
        <Picture
          src={url}
          alt={texts.change.drawnImage}
          onExpired={onExpired}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
            setSize({ width, height });
            onSize({ width, height });
          }}
        />
        {size !== null && (
          <canvas
            ref={canvas}
            width={size.width}
            height={size.height}
            onPointerDown={begin}
            onPointerMove={move}
            onPointerUp={end}
            onPointerCancel={end}
          />
        )}
      </div>
    </div>
  );
}
