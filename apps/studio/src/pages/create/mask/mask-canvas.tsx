import { useEffect, useRef, useState, type PointerEvent } from "react";
import { texts } from "../../../texts.ts";
import { Picture } from "../../../ui/picture.tsx";
import styles from "./mask-editor.module.css";
import { drawStrokes, type Stroke, type StrokeMode } from "./strokes.ts";

/** Width and height in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The colour of the area that changes; the style sheet makes it translucent. */
const areaColor = "#e0561b";

/** The image, on which a pointer draws the area that changes. */
export function MaskCanvas(props: {
  readonly url: string;
  readonly onExpired: () => void;
  readonly strokes: readonly Stroke[];
  readonly mode: StrokeMode;
  /** Diameter of the brush in percent of the longer side. */
  readonly brush: number;
  readonly onSize: (size: Size) => void;
  readonly onStroke: (stroke: Stroke) => void;
}) {
  const { url, onExpired, strokes, mode, brush, onSize, onStroke } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState<Size | null>(null);
  const [current, setCurrent] = useState<Extract<Stroke, { kind: "brush" }> | null>(null);
  useEffect(() => {
    if (canvas.current === null || size === null) return;
    drawStrokes(canvas.current, current === null ? strokes : [...strokes, current], areaColor);
  }, [strokes, current, size]);

  function pointOf(event: PointerEvent<HTMLCanvasElement>): readonly [number, number] {
    const { left, top, width } = event.currentTarget.getBoundingClientRect();
    const scale = event.currentTarget.width / width;
    return [Math.round((event.clientX - left) * scale), Math.round((event.clientY - top) * scale)];
  }
  function begin(event: PointerEvent<HTMLCanvasElement>): void {
    if (size === null || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const diameter = Math.max(1, (Math.max(size.width, size.height) * brush) / 100);
    setCurrent({ kind: "brush", mode, size: diameter, points: [pointOf(event)] });
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
          alt={texts.create.maskImage}
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
