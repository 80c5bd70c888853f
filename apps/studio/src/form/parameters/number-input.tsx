import { formatNumber } from "../../format.ts";
import { texts } from "../../texts.ts";
import { Field } from "../../ui/field.tsx";
import { Icon } from "../../ui/icons.tsx";
import styles from "./parameters.module.css";
import type { NumberField } from "./read-schema.ts";

/** A slider. Without a value it stands at that of the model, to which a button returns. */
export function NumberInput(props: {
  readonly field: NumberField;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
  /** Undefined for the value of the model. */
  readonly value: number | undefined;
  /** Undefined for a value that the model has no default for, such as the weight of a LoRA. */
  readonly onReset?: (() => void) | undefined;
  readonly onChange: (value: number) => void;
}) {
  const { field, label, hint, problem, value, onReset, onChange } = props;
  const shown = value === undefined ? describePreset(field.preset) : formatNumber(value);
  return (
    <Field label={label} aside={<span className="num">{shown}</span>} hint={hint} problem={problem}>
      {({ className: _className, ...control }) => (
        <div className={styles.slider}>
          <input
            {...control}
            type="range"
            min={field.min}
            max={field.max}
            step={field.step}
            value={value ?? field.preset ?? field.min}
            aria-valuetext={shown}
            // 0.1 + 0.2 is 0.30000000000000004.
            onChange={({ target }) => onChange(Number(Number(target.value).toFixed(2)))}
          />
          {onReset !== undefined && (
            <button
              type="button"
              aria-label={texts.create.parameters.reset(label)}
              aria-disabled={value === undefined}
              onClick={() => {
                if (value !== undefined) onReset();
              }}
            >
              <Icon name="undo" size={16} />
            </button>
          )}
        </div>
      )}
    </Field>
  );
}

/** How the form names the value of the model. */
export function describePreset(preset: string | number | null): string {
  const { preset: named, presetUnknown } = texts.create.parameters;
  if (preset === null) return presetUnknown;
  return named(typeof preset === "number" ? formatNumber(preset) : preset);
}
