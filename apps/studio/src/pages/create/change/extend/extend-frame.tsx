import { scaleToEdit, type PixelSize } from "@atelier/schemas/pixel-size";
import { useId, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { RatioShape } from "../../../../form/ratio-shape.tsx";
import { texts } from "../../../../texts/change.ts";
import { Picture } from "../../../../ui/picture.tsx";
import styles from "./extend-frame.module.css";
import {
  hasShape,
  largestMargin,
  marginsFor,
  marginsOf,
  moveSide,
  sides,
  sizeWith,
  targetRatios,
  type Margins,
  type Side,
} from "./margins.ts";

/** Pixels that an arrow key moves a handle by, and with Shift. */
const steps = { plain: 8, large: 64 };

/** Width divided by height of the area that shows the image and its margins. */
const viewShape = 4 / 3;

/** The part of the plane that is shown, in pixels of the image, whose left upper corner is at 0. */
interface View {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The image with the area that is added around it: handles at its sides, and shapes to extend it to. */
export default function ExtendFrame(props: {
  readonly url: string;
  readonly onExpired: () => void;
  readonly margins: Margins;
  readonly onMargins: (margins: Margins) => void;
}) {
  const { url, onExpired, margins, onMargins } = props;
  const [image, setImage] = useState<PixelSize | null>(null);
  // A handle that is dragged stays under the pointer: the view follows at the end.
  const [heldView, setHeldView] = useState<View | null>(null);
  const area = useRef<HTMLDivElement>(null);
  const id = useId();
  const names = texts.change.extend;
  const total = image === null ? null : sizeWith(image, margins);
  const view = heldView ?? viewOf(image ?? { width: 1, height: 1 }, margins);
  const percent = (part: number, whole: number) => `${(100 * part) / whole}%`;
  const place = (left: number, top: number, { width, height }: PixelSize) => ({
    left: percent(left - view.left, view.width),
    top: percent(top - view.top, view.height),
    width: percent(width, view.width),
    height: percent(height, view.height),
  });

  return (
    <div className={styles.extend}>
      <h3 id={id}>{names.shapes}</h3>
      <div className={styles.shapes} role="group" aria-labelledby={id}>
        {targetRatios.map((ratio) => {
          const target = image === null ? null : marginsFor(image, ratio);
          return (
            <button
              key={ratio}
              type="button"
              disabled={target === null}
              title={image !== null && target === null ? whyNot(image, ratio) : undefined}
              aria-pressed={image !== null && hasShape(image, margins, ratio)}
              onClick={() => target !== null && onMargins(target)}
            >
              <RatioShape ratio={ratio} />
              {ratio}
            </button>
          );
        })}
      </div>
      <div ref={area} className={styles.view}>
        {total !== null && (
          <span className={styles.frame} style={place(-margins.left, -margins.top, total)} />
        )}
        <Picture
          src={url}
          alt={texts.change.drawnImage}
          onExpired={onExpired}
          style={place(0, 0, image ?? { width: 0, height: 0 })}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
            setImage(scaleToEdit({ width, height }))
          }
        />
        {image !== null &&
          sides.map((side) => {
            const { x, y } = centreOf(side, image, margins);
            return (
              <Handle
                key={side}
                {...{ side, image, margins, area, view, onMargins }}
                onHeld={(isHeld) => setHeldView(isHeld ? view : null)}
                position={{
                  left: percent(x - view.left, view.width),
                  top: percent(y - view.top, view.height),
                }}
              />
            );
          })}
      </div>
      {total !== null && (
        <p className={`${styles.size} num`} aria-live="polite">
          {names.result(total.width, total.height)}
        </p>
      )}
      <p className={styles.hint}>{names.hint}</p>
    </div>
  );
}

/** Returns why an image cannot be extended to a shape. */
function whyNot(image: PixelSize, ratio: string): string {
  const { hasShape: isThis, tooLarge } = texts.change.extend;
  return hasShape(image, marginsOf({}), ratio) ? isThis : tooLarge;
}

/** Shows an image, its margins, and room to drag its sides outwards. */
function viewOf(image: PixelSize, margins: Margins): View {
  const { width, height } = sizeWith(image, margins);
  const room = Math.max(width, height) / 6;
  const shown = Math.max(width + 2 * room, (height + 2 * room) * viewShape);
  return {
    left: (width - shown) / 2 - margins.left,
    top: (height - shown / viewShape) / 2 - margins.top,
    width: shown,
    height: shown / viewShape,
  };
}

/** The centre of a side of the extended image, in pixels of the image. */
function centreOf(side: Side, image: PixelSize, margins: Margins) {
  const { width, height } = sizeWith(image, margins);
  const [left, top] = [-margins.left, -margins.top];
  const centres = {
    top: { x: left + width / 2, y: top },
    right: { x: left + width, y: top + height / 2 },
    bottom: { x: left + width / 2, y: top + height },
    left: { x: left, y: top + height / 2 },
  };
  return centres[side];
}

/** A side that is dragged, or moved by the arrow keys, outwards or back to the image. */
function Handle(props: {
  readonly side: Side;
  readonly image: PixelSize;
  readonly margins: Margins;
  readonly view: View;
  readonly area: { readonly current: HTMLDivElement | null };
  readonly position: { readonly left: string; readonly top: string };
  readonly onMargins: (margins: Margins) => void;
  readonly onHeld: (isHeld: boolean) => void;
}) {
  const { side, image, margins, view, area, position, onMargins, onHeld } = props;
  const [start, setStart] = useState<{ readonly at: number; readonly margin: number } | null>(null);
  const isSideways = side === "left" || side === "right";
  // The left and the upper side move outwards against the direction of the axis.
  const sign = side === "left" || side === "top" ? -1 : 1;
  const largest = largestMargin(image, margins, side);
  const move = (pixels: number) => onMargins(moveSide(image, margins, side, pixels));
  const at = (event: PointerEvent) => (isSideways ? event.clientX : event.clientY);
  function drag(event: PointerEvent): void {
    const { width = 1 } = area.current?.getBoundingClientRect() ?? {};
    if (start === null) return;
    move(start.margin + sign * (at(event) - start.at) * (view.width / width));
  }
  function end(): void {
    setStart(null);
    onHeld(false);
  }
  function onKeyDown(event: KeyboardEvent): void {
    const by = event.shiftKey ? steps.large : steps.plain;
    const [back, forward] = isSideways ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    const margin = margins[side];
    if (event.key === forward) move(margin + sign * by);
    else if (event.key === back) move(margin - sign * by);
    else if (event.key === "Home") move(0);
    else if (event.key === "End") move(largest);
    else return;
    event.preventDefault();
  }
  return (
    <span
      role="slider"
      tabIndex={0}
      aria-label={texts.change.extend.sides[side]}
      aria-orientation={isSideways ? "horizontal" : "vertical"}
      aria-valuemin={0}
      aria-valuemax={largest}
      aria-valuenow={margins[side]}
      aria-valuetext={texts.change.extend.pixels(margins[side])}
      className={`${styles.handle} ${isSideways ? styles.sideways : ""}`}
      style={position}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setStart({ at: at(event), margin: margins[side] });
        onHeld(true);
      }}
      onPointerMove={drag}
      onPointerUp={end}
      onPointerCancel={end}
    />
  );
}
