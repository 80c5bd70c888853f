import type { Model } from "@atelier/schemas";
import { useQuery } from "@tanstack/react-query";
import { problemAt } from "../../../form/problems.ts";
import { texts } from "../../../texts/change.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { useOpen } from "../../../ui/dialogs/use-open.ts";
import { Problem } from "../../../ui/problem.tsx";
import type { Change, ChangeValues } from "../changes.ts";
import styles from "./change-card.module.css";
import { isSide } from "./extend/margins.ts";
import { readChangeFields, type ChangeField } from "./read-fields.ts";

/** Larger bounds are no help beside a field. */
const largestNamedBound = 100;

/** The fields of a change, as the schema of its requests has them. */
export function ChangeFields(props: {
  readonly operation: Change;
  readonly model: Model | undefined;
  readonly values: ChangeValues;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (values: ChangeValues) => void;
}) {
  const { operation, model, values, problems, onChange } = props;
  const { data, error, refetch } = useQuery({
    queryKey: ["change fields", operation],
    queryFn: () => readChangeFields(operation),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const fields = (data ?? []).filter(
    ({ name }) => name !== "seed" || model?.supports_seed === true,
  );
  const input = (field: ChangeField) => (
    <Input
      key={field.name}
      // The model may make fewer images than the service.
      field={field.name === "n" && model !== undefined ? { ...field, max: model.max_n } : field}
      value={values[field.name]}
      problem={problemAt(problems, field.name)}
      onChange={(value) => onChange(withValue(values, field.name, value))}
    />
  );
  // The handles of the image set these as well.
  const exact = fields.filter(({ name }) => isSide(name));
  const hasExactProblem = exact.some(({ name }) => problemAt(problems, name) !== undefined);
  const opening = useOpen(hasExactProblem);
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />;
  if (fields.length === 0) return null;
  return (
    <div className={styles.fields} role="group" aria-label={texts.change.fieldsName}>
      {exact.length > 0 && (
        <details className={styles.exact} {...opening}>
          <summary>{texts.change.extend.exact}</summary>
          <div className={styles.fields}>{exact.map(input)}</div>
        </details>
      )}
      {fields.filter(({ name }) => !isSide(name)).map(input)}
    </div>
  );
}

/** Undefined removes a value: the service uses its default. */
function withValue(
  values: ChangeValues,
  name: string,
  value: number | string | undefined,
): ChangeValues {
  const others = Object.entries(values).filter(([other]) => other !== name);
  return Object.fromEntries(value === undefined ? others : [...others, [name, value]]);
}

function Input(props: {
  readonly field: ChangeField;
  readonly value: number | string | undefined;
  readonly problem: string | undefined;
  readonly onChange: (value: number | string | undefined) => void;
}) {
  const { field, value, problem, onChange } = props;
  const { name, kind, min, max, isInteger } = field;
  const { fields: labels, fieldHints: hints, range } = texts.change;
  const isNamed = min !== undefined && max !== undefined && max <= largestNamedBound;
  const isText = kind === "text";
  // Width and height stay beside each other.
  const isWide = isText || name === "factor";
  if (isPart(field)) return <Part {...props} />;
  return (
    <div className={isWide ? styles.wide : undefined}>
      <Field
        label={name in labels ? labels[name as keyof typeof labels] : name}
        aside={isNamed ? <span className="num">{range(min, max)}</span> : undefined}
        hint={name in hints ? hints[name as keyof typeof hints] : undefined}
        problem={problem}
      >
        {(control) =>
          isText ? (
            <textarea
              dir="auto"
              {...control}
              rows={2}
              maxLength={32_000}
              value={value ?? ""}
              onChange={({ target }) => onChange(target.value)}
            />
          ) : (
            <input
              {...control}
              type="number"
              inputMode={isInteger ? "numeric" : "decimal"}
              min={min}
              max={max}
              step={isInteger ? 1 : "any"}
              value={value ?? ""}
              onChange={({ target }) =>
                onChange(target.value === "" ? undefined : Number(target.value))
              }
            />
          )
        }
      </Field>
    </div>
  );
}

/** Whether a number is a part of one, which a slider chooses. */
function isPart({ kind, min, max, isInteger }: ChangeField): boolean {
  return kind === "number" && !isInteger && min === 0 && max === 1;
}

/** A slider from 0 to 1. It shows the middle until it is moved, and the model uses its default. */
function Part(props: Parameters<typeof Input>[0]) {
  const { field, value, problem, onChange } = props;
  const { name } = field;
  const { fields: labels, fieldHints: hints, modelDefault } = texts.change;
  return (
    <div className={styles.wide}>
      <Field
        label={name in labels ? labels[name as keyof typeof labels] : name}
        aside={<span className="num">{value ?? modelDefault}</span>}
        hint={name in hints ? hints[name as keyof typeof hints] : undefined}
        problem={problem}
      >
        {(control) => (
          <span className={styles.part}>
            <input
              {...control}
              type="range"
              min={0}
              max={1}
              step={0.05}
              value={value ?? 0.5}
              aria-valuetext={value === undefined ? modelDefault : String(value)}
              onChange={({ target }) => onChange(Number(target.value))}
            />
            <Button look="ghost" disabled={value === undefined} onClick={() => onChange(undefined)}>
              {modelDefault}
            </Button>
          </span>
        )}
      </Field>
    </div>
  );
}
