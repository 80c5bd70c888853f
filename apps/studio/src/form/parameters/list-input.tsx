import { useId } from "react";
import { texts } from "../../texts.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Icon } from "../../ui/icons.tsx";
import { labelOf } from "./labels.ts";
import { NumberInput } from "./number-input.tsx";
import styles from "./parameters.module.css";
import type { ListField, NumberField } from "./read-schema.ts";

/** An entry of a list, such as `{name: "ink", weight: 0.5}`. */
type Item = Readonly<Record<string, unknown>>;

/** A list such as the LoRAs of an image: entries are added, changed and removed. */
export function ListInput(props: {
  readonly field: ListField;
  readonly label: string;
  readonly problem: string | undefined;
  readonly items: readonly Item[];
  readonly onChange: (items: readonly Item[]) => void;
}) {
  const { field, label, problem, items, onChange } = props;
  const { choice, numbers, most } = field;
  const id = useId();
  const used = items.map((item) => item[choice.name]);
  const free = choice.options.filter((option) => !used.includes(option));
  const change = (at: number, part: Item) =>
    onChange(items.map((item, index) => (index === at ? { ...item, ...part } : item)));
  function add(): void {
    const values = numbers.map((number) => [number.name, startOf(number)] as const);
    onChange([...items, { [choice.name]: free[0], ...Object.fromEntries(values) }]);
    focusLater(`${id}-${items.length}`);
  }
  function remove(at: number): void {
    onChange(items.toSpliced(at, 1));
    focusLater(items.length === 1 ? `${id}-add` : `${id}-${Math.min(at, items.length - 2)}`);
  }
  return (
    <fieldset
      className={styles.list}
      aria-describedby={problem === undefined ? undefined : `${id}-problem`}
    >
      <legend>
        {label}
        <small className="num">{texts.create.parameters.of(items.length, most)}</small>
      </legend>
      {items.map((item, index) => {
        const name = String(item[choice.name]);
        return (
          <div
            key={name}
            id={`${id}-${index}`}
            role="group"
            aria-label={name}
            tabIndex={-1}
            className={styles.item}
          >
            <div className={styles.choice}>
              <Field label={labelOf(choice.name)}>
                {(control) => (
                  <select
                    {...control}
                    value={name}
                    onChange={({ target }) => {
                      change(index, { [choice.name]: target.value });
                      // The entry is another one now.
                      focusLater(`${id}-${index}`);
                    }}
                  >
                    {choice.options
                      .filter((option) => option === name || free.includes(option))
                      .map((option) => (
                        <option key={option}>{option}</option>
                      ))}
                  </select>
                )}
              </Field>
              <button
                type="button"
                aria-label={texts.create.parameters.remove(name)}
                onClick={() => remove(index)}
              >
                <Icon name="trash" size={16} />
              </button>
            </div>
            {numbers.map((number) => (
              <NumberInput
                key={number.name}
                field={number}
                label={labelOf(number.name)}
                value={Number(item[number.name])}
                onChange={(value) => change(index, { [number.name]: value })}
              />
            ))}
          </div>
        );
      })}
      {items.length < most && (
        <Button id={`${id}-add`} look="ghost" onClick={add}>
          <Icon name="plus" size={16} /> {texts.create.parameters.add(label)}
        </Button>
      )}
      {problem !== undefined && (
        <p id={`${id}-problem`} className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

/** The value of a new entry: what the model states, else 1 as far as the bounds allow it. */
function startOf({ min, max, preset }: NumberField): number {
  return preset ?? Math.min(Math.max(1, min), max);
}

/** Moves the focus to an entry's choice, or to a button, when it is there. */
function focusLater(id: string): void {
  requestAnimationFrame(() => {
    const target = document.getElementById(id);
    (target?.querySelector("select") ?? target)?.focus();
  });
}
