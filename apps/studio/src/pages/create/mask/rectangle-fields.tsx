import { useState } from "react";
import { texts } from "../../../texts/change.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import type { Size } from "./mask-canvas.tsx";
import styles from "./mask-editor.module.css";
import type { Stroke, StrokeMode } from "./strokes.ts";

const names = ["x", "y", "width", "height"] as const;

/** Marks a rectangle by numbers, for those who use no pointer. */
export function RectangleFields(props: {
  readonly size: Size;
  readonly mode: StrokeMode;
  /** Width of the outline in pixels; undefined for a filled rectangle. */
  readonly line: number | undefined;
  readonly onStroke: (stroke: Stroke) => void;
}) {
  const { size, mode, line, onStroke } = props;
  const [rectangle, setRectangle] = useState(() => ({
    x: Math.round(size.width / 4),
    y: Math.round(size.height / 4),
    width: Math.round(size.width / 2),
    height: Math.round(size.height / 2),
  }));
  return (
    <details className={styles.more}>
      <summary>{texts.change.drawing.rectangle}</summary>
      <div>
        {names.map((name) => (
          <Field key={name} label={texts.change.drawing.rectangleFields[name]}>
            {(control) => (
              <input
                {...control}
                type="number"
                min="0"
                max={name === "x" || name === "width" ? size.width : size.height}
                value={rectangle[name]}
                onChange={({ target }) =>
                  setRectangle({
                    ...rectangle,
                    [name]: Math.max(0, Math.round(Number(target.value))),
                  })
                }
              />
            )}
          </Field>
        ))}
      </div>
      <Button onClick={() => onStroke({ kind: "rectangle", mode, line, ...rectangle })}>
        {texts.change.drawing.rectangleActions[mode]}
      </Button>
    </details>
  );
}
