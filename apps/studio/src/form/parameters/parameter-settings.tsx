import type { Model } from "@atelier/schemas";
import { useMemo } from "react";
import { formatEur } from "../../format.ts";
import { texts } from "../../texts.ts";
import { useOpen } from "../../ui/dialogs/use-open.ts";
import { Field } from "../../ui/field.tsx";
import { problemAt } from "../problems.ts";
import { hintOf, labelOf } from "./labels.ts";
import { ListInput } from "./list-input.tsx";
import { describePreset, NumberInput } from "./number-input.tsx";
import styles from "./parameters.module.css";
import {
  changeParameter,
  readFields,
  type ChoiceField,
  type ParameterField,
  type Parameters,
} from "./read-schema.ts";

/**
 * Options of the engine, in the form that the model's JSON schema describes. Open when one was changed
 * or has a problem; absent for models without any.
 */
export function ParameterSettings(props: {
  readonly model: Model;
  readonly imageSize: string;
  readonly values: Parameters;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (values: Parameters) => void;
}) {
  const { model, imageSize, values, problems, onChange } = props;
  const fields = useMemo(() => readFields(model.parameters), [model]);
  const opening = useOpen(
    Object.keys(values).length > 0 || problemAt(problems, "parameters") !== undefined,
  );
  if (fields.length === 0) return null;
  return (
    <details className={styles.parameters} {...opening}>
      <summary>{texts.create.parameters.title}</summary>
      <div>
        {fields.map((field) => (
          <ParameterInput
            key={field.name}
            field={field}
            hint={field.name === "steps" ? stepsHint(model, imageSize) : hintOf(field.name)}
            value={values[field.name]}
            problem={problemAt(problems, `parameters.${field.name}`)}
            onChange={(value) => onChange(changeParameter(values, field.name, value))}
          />
        ))}
      </div>
    </details>
  );
}

function ParameterInput(props: {
  readonly field: ParameterField;
  readonly hint: string | undefined;
  readonly value: unknown;
  readonly problem: string | undefined;
  /** Undefined leaves it to the model. */
  readonly onChange: (value: unknown) => void;
}) {
  const { field, hint, value, problem, onChange } = props;
  const label = labelOf(field.name);
  switch (field.kind) {
    case "number":
      return (
        <NumberInput
          {...{ field, label, hint, problem }}
          value={typeof value === "number" ? value : undefined}
          onReset={() => onChange(undefined)}
          onChange={(chosen) => onChange(chosen === field.preset ? undefined : chosen)}
        />
      );
    case "choice":
      return (
        <ChoiceInput
          {...{ field, label, hint, problem }}
          value={typeof value === "string" ? value : ""}
          onChange={(chosen) => onChange(chosen === "" ? undefined : chosen)}
        />
      );
    case "list":
      return (
        <ListInput
          {...{ field, label, problem, onChange }}
          items={Array.isArray(value) ? (value as Readonly<Record<string, unknown>>[]) : []}
        />
      );
  }
}

function ChoiceInput(props: {
  readonly field: ChoiceField;
  readonly label: string;
  readonly hint: string | undefined;
  readonly problem: string | undefined;
  /** Empty for the value of the model. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const { field, label, hint, problem, value, onChange } = props;
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(control) => (
        <select {...control} value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">{describePreset(field.preset)}</option>
          {field.options
            .filter((option) => option !== field.preset)
            .map((option) => (
              <option key={option}>{option}</option>
            ))}
        </select>
      )}
    </Field>
  );
}

/** The price of a step, for models whose price depends on them. */
function stepsHint({ prices }: Model, imageSize: string): string | undefined {
  const perStep = prices.find(
    (price) => price.eur_per_step !== undefined && price.image_size === imageSize,
  )?.eur_per_step;
  return perStep === undefined
    ? hintOf("steps")
    : texts.create.parameters.pricePerStep(formatEur(perStep));
}
