import { formatPercent } from "../../../format.ts";
import { texts } from "../../../texts/change.ts";
import { Button } from "../../../ui/button.tsx";
import { Choices } from "../../../ui/choices.tsx";
import { Field } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icons.tsx";
import styles from "./mask-editor.module.css";
import type { StrokeMode } from "./strokes.ts";

const tools = ["add", "erase", "move"] as const;

/** The use of the pointer and of the arrow keys: a stroke, or moving the image. */
export type Tool = StrokeMode | "move";

/** Bounds of the brush in percent of the longer side. */
export const brushBounds = { min: 1, max: 50 };

/** Brush, eraser and hand, size, zoom, undo, redo, clear and invert. */
export function MaskTools(props: {
  readonly tool: Tool;
  readonly brush: number;
  readonly scale: number;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly onTool: (tool: Tool) => void;
  readonly onBrush: (percent: number) => void;
  /** Zooms in by 1 or out by -1 step; 0 shows the whole image. */
  readonly onZoom: (by: -1 | 0 | 1) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onClear: () => void;
  /** Undefined when a drawing cannot be inverted. */
  readonly onInvert: (() => void) | undefined;
}) {
  const { tool, brush, scale, canUndo, canRedo, onZoom, onUndo, onRedo, onClear, onInvert } = props;
  const names = texts.change.drawing;
  return (
    <>
      <Choices
        label={names.tool}
        columns={3}
        options={tools}
        value={tool}
        onChange={(value) => props.onTool(value as Tool)}
      >
        {(value) => names.tools[value as Tool]}
      </Choices>
      <Field label={names.brushSize} aside={formatPercent(brush / 100)}>
        {({ className: _className, ...control }) => (
          <input
            {...control}
            className={styles.range}
            type="range"
            {...brushBounds}
            value={brush}
            onChange={(event) => props.onBrush(Number(event.target.value))}
          />
        )}
      </Field>
      <div className={styles.steps} role="group" aria-labelledby="drawing-zoom">
        <span id="drawing-zoom" className={styles.label}>
          {names.zoom}
        </span>
        <Button onClick={() => onZoom(-1)} disabled={scale === 1} aria-label={names.zoomOut}>
          <Icon name="minus" size={16} />
        </Button>
        <Button onClick={() => onZoom(1)} aria-label={names.zoomIn}>
          <Icon name="plus" size={16} />
        </Button>
        <Button onClick={() => onZoom(0)} disabled={scale === 1}>
          <span className="num">{formatPercent(scale)}</span>
          <span className="sr">{names.zoomWhole}</span>
        </Button>
      </div>
      <div className={styles.steps}>
        <Button onClick={onUndo} disabled={!canUndo}>
          <Icon name="undo" size={16} /> {texts.common.undo}
        </Button>
        <Button onClick={onRedo} disabled={!canRedo}>
          <span className={styles.mirrored}>
            <Icon name="undo" size={16} />
          </span>{" "}
          {names.redo}
        </Button>
        <Button onClick={onClear} disabled={!canUndo}>
          <Icon name="trash" size={16} /> {names.clear}
        </Button>
        {onInvert !== undefined && <Button onClick={onInvert}>{names.invert}</Button>}
      </div>
    </>
  );
}
