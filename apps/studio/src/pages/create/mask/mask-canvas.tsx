import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { texts } from "../../../texts/change.ts";
import { Picture } from "../../../ui/picture.tsx";
import styles from "./mask-editor.module.css";
import { drawStrokes, markupColor, type DrawingKind, type Stroke } from "./strokes.ts";
import type { Tool } from "./mask-tools.tsx";
import { moveBy, showPoint, zoomBy, type View } from "./view.ts";

/** Width and height in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

type Point = readonly [x: number, y: number];
type BrushStroke = Extract<Stroke, { kind: "brush" }>;

/** The colour of the area that changes; the style sheet makes it translucent. */
const areaColor = "#e0561b";

/** The width in pixels of a brush in percent of the longer side. */
export function widthOf(brush: number, { width, height }: Size): number {
  return Math.max(1, (Math.max(width, height) * brush) / 100);
}

/** The size of the image as it is shown whole, in CSS pixels. */
export function shownSize({ current }: { readonly current: HTMLElement | null }) {
  return { x: current?.offsetWidth ?? 1, y: current?.offsetHeight ?? 1 };
}

/** The image, on which a pointer or the keyboard draws; it is enlarged and moved by both as well. */
export function MaskCanvas(props: {
  readonly kind: DrawingKind;
  readonly url: string;
  readonly onExpired: () => void;
  readonly strokes: readonly Stroke[];
  readonly tool: Tool;
  /** Diameter of the brush in percent of the longer side. */
  readonly brush: number;
  readonly view: View;
  readonly onView: (change: (before: View) => View) => void;
  /** Contains the image; its own size is that of the whole image. */
  readonly frame: { current: HTMLDivElement | null };
  readonly onSize: (size: Size) => void;
  readonly onStroke: (stroke: Stroke) => void;
}) {
  const { kind, url, onExpired, strokes, tool, brush, view, onView, frame, onSize } = props;
  const { onStroke } = props;
  const stage = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState<Size | null>(null);
  const [current, setCurrent] = useState<BrushStroke | null>(null);
  /** The centre of the brush, in pixels of the image. */
  const [cursor, setCursor] = useState<Point | null>(null);
  /** Whether the arrow keys draw. */
  const [isPenDown, setPenDown] = useState(false);
  /** The pointers that are down, by their ids: two of them zoom and move. */
  const pointers = useRef(new Map<number, { readonly x: number; readonly y: number }>());
  useEffect(() => {
    if (canvas.current === null || size === null) return;
    const drawn = current === null ? strokes : [...strokes, current];
    drawStrokes(canvas.current, drawn, kind === "mask" ? areaColor : markupColor);
  }, [kind, strokes, current, size]);

  const shown = () => shownSize(frame);
  function fromCentre({ clientX, clientY }: { clientX: number; clientY: number }) {
    const {
      left = 0,
      top = 0,
      width = 0,
      height = 0,
    } = stage.current?.getBoundingClientRect() ?? {};
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
  }
  // React listens to wheels passively, and the page would scroll or zoom as well.
  useEffect(() => {
    const area = stage.current;
    function onWheel(event: WheelEvent): void {
      event.preventDefault();
      // A pinch on a touchpad arrives as a wheel with Ctrl and small steps.
      const factor = Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002));
      onView((before) => zoomBy(before, factor, fromCentre(event), shown()));
    }
    area?.addEventListener("wheel", onWheel, { passive: false });
    return () => area?.removeEventListener("wheel", onWheel);
  }, [onView]);

  function pointOf(event: PointerEvent<HTMLCanvasElement>): Point {
    const { left, top, width } = event.currentTarget.getBoundingClientRect();
    const scale = event.currentTarget.width / width;
    return [Math.round((event.clientX - left) * scale), Math.round((event.clientY - top) * scale)];
  }
  function begin(event: PointerEvent<HTMLCanvasElement>): void {
    if (size === null || event.button > 1) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    pointers.current.set(event.pointerId, fromCentre(event));
    const isMove = tool === "move" || event.button === 1 || pointers.current.size > 1;
    const point = pointOf(event);
    setCursor(point);
    // The first finger of a pinch has begun to draw.
    setCurrent(isMove ? null : strokeAt(point, size));
  }
  function strokeAt(point: Point, image: Size): BrushStroke | null {
    if (tool === "move") return null;
    return { kind: "brush", mode: tool, size: widthOf(brush, image), points: [point] };
  }
  function move(event: PointerEvent<HTMLCanvasElement>): void {
    const point = pointOf(event);
    setCursor(point);
    const earlier = pointers.current.get(event.pointerId);
    if (earlier === undefined) return;
    const now = fromCentre(event);
    if (current !== null) {
      setCurrent({ ...current, points: [...current.points, point] });
    } else {
      const [other] = [...pointers.current].filter(([id]) => id !== event.pointerId);
      onView((before) => {
        const share = other === undefined ? 1 : 0.5;
        const by = { x: (now.x - earlier.x) * share, y: (now.y - earlier.y) * share };
        const moved = moveBy(before, by, shown());
        if (other === undefined) return moved;
        const distance = (from: { x: number; y: number }) =>
          Math.max(1, Math.hypot(from.x - other[1].x, from.y - other[1].y));
        const middle = { x: (now.x + other[1].x) / 2, y: (now.y + other[1].y) / 2 };
        return zoomBy(moved, distance(now) / distance(earlier), middle, shown());
      });
    }
    pointers.current.set(event.pointerId, now);
  }
  function end(event: PointerEvent<HTMLCanvasElement>): void {
    pointers.current.delete(event.pointerId);
    finish();
  }
  function finish(): void {
    if (current !== null) onStroke(current);
    setCurrent(null);
    setPenDown(false);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (size === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = arrows[event.key as keyof typeof arrows];
    if (arrow !== undefined) moveByKey(arrow, event.shiftKey, size);
    else if (event.key === " " || event.key === "Enter") togglePen(size);
    else return;
    event.preventDefault();
  }
  function moveByKey([x, y]: Point, isFar: boolean, image: Size): void {
    const step = Math.max(1, widthOf(brush, image) / 4) * (isFar ? 4 : 1);
    if (tool === "move") {
      const by = isFar ? 160 : 40;
      return onView((before) => moveBy(before, { x: -x * by, y: -y * by }, shown()));
    }
    const from = cursor ?? [image.width / 2, image.height / 2];
    const point: Point = [
      Math.min(Math.max(Math.round(from[0] + x * step), 0), image.width),
      Math.min(Math.max(Math.round(from[1] + y * step), 0), image.height),
    ];
    setCursor(point);
    if (current !== null) setCurrent({ ...current, points: [...current.points, point] });
    const part = { x: point[0] / image.width, y: point[1] / image.height };
    const room = { x: stage.current?.clientWidth ?? 1, y: stage.current?.clientHeight ?? 1 };
    onView((before) => showPoint(before, part, shown(), room));
  }
  function togglePen(image: Size): void {
    if (isPenDown) return finish();
    const point = cursor ?? ([image.width / 2, image.height / 2] as const);
    setCursor(point);
    setCurrent(strokeAt(point, image));
    setPenDown(tool !== "move");
  }

  const { keyboard } = texts.change.drawing;
  return (
    <div ref={stage} className={styles.stage}>
      <div
        ref={frame}
        className={styles.frame}
        style={{
          ...(size === null ? {} : { aspectRatio: `${size.width} / ${size.height}` }),
          translate: `${view.x}px ${view.y}px`,
          scale: view.scale,
        }}
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
          <>
            {/* Arrow keys move the brush, so that it needs no pointer. */}
            {/* oxlint-disable-next-line jsx-a11y/no-interactive-element-to-noninteractive-role */}
            <canvas
              ref={canvas}
              width={size.width}
              height={size.height}
              role="application"
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
              tabIndex={0}
              aria-label={keyboard.area}
              aria-describedby="drawing-keys"
              data-tool={tool}
              onKeyDown={onKeyDown}
              onFocus={() => setCursor((at) => at ?? [size.width / 2, size.height / 2])}
              onBlur={() => {
                finish();
                setCursor(null);
              }}
              onPointerDown={begin}
              onPointerMove={move}
              onPointerUp={end}
              onPointerCancel={end}
              onPointerLeave={() => {
                if (document.activeElement !== canvas.current) setCursor(null);
              }}
            />
            {cursor !== null && tool !== "move" && (
              <span
                className={`${styles.cursor} ${isPenDown ? styles.down : ""}`}
                style={{
                  left: `${(100 * cursor[0]) / size.width}%`,
                  top: `${(100 * cursor[1]) / size.height}%`,
                  width: `${(100 * widthOf(brush, size)) / size.width}%`,
                }}
              />
            )}
          </>
        )}
      </div>
      <p className="sr" role="status">
        {isPenDown ? keyboard.down : keyboard.up}
      </p>
    </div>
  );
}

const arrows = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
} as const;
