import { texts } from "../../../texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Choices } from "../../../ui/choices.tsx";
import { Field } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icons.tsx";
import styles from "./mask-editor.module.css";
import type { StrokeMode } from "./strokes.ts";

const modes = ["add", "erase"] as const;

/** Brush, eraser, size, undo, clear and invert. */
export function MaskTools(props: {
  readonly mode: StrokeMode;
  readonly brush: number;
  readonly canUndo: boolean;
  readonly onMode: (mode: StrokeMode) => void;
  readonly onBrush: (percent: number) => void;
  readonly onUndo: () => void;
  readonly onClear: () => void;
  /** Undefined when a drawing cannot be inverted. */
  readonly onInvert: (() => void) | undefined;
}) {
  const { mode, brush, canUndo, onUndo, onClear, onInvert } = props;
  return (
    <>
      <Choices
        label={texts.create.tool}
        columns={2}
        options={modes}
        value={mode}
        onChange={(value) => props.onMode(value as StrokeMode)}
      >
        {(value) => texts.create.tools[value as StrokeMode]}
      </Choices>
      <Field label={texts.create.brushSize} aside={`${brush} %`}>
        {({ className: _className, ...control }) => (
          <input
            {...control}
            className={styles.range}
            type="range"
            min="1"
            max="50"
            value={brush}
            onChange={(event) => props.onBrush(Number(event.target.value))}
          />
        )}
      </Field>
      <div className={styles.steps}>
        <Button onClick={onUndo} disabled={!canUndo}>
          <Icon name="undo" size={16} /> {texts.common.undo}
        </Button>
        <Button onClick={onClear} disabled={!canUndo}>
          <Icon name="trash" size={16} /> {texts.create.clear}
        </Button>
        {onInvert !== undefined && <Button onClick={onInvert}>{texts.create.invert}</Button>}
      </div>
    </>
  );
}
