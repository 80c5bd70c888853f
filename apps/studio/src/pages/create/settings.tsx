import type { Model } from "@atelier/schemas";
import { statusOf } from "../../form/model-status.ts";
import { problemAt } from "../../form/problems.ts";
import { RatioShape } from "../../form/ratio-shape.tsx";
import { formatEur } from "../../format.ts";
import { texts } from "../../texts.ts";
import { Choices } from "../../ui/choices.tsx";
import { Field } from "../../ui/field.tsx";
import type { FormOperation } from "./changes.ts";
import styles from "./composer.module.css";
import { isForTool, operationOf } from "./draft.ts";
import type { FormProps } from "./form-props.ts";

type SettingsProps = FormProps & { readonly models: readonly Model[] };

/** The settings that are changed often: model, shape, size, number and seed; of a tool, the model. */
export function Settings(props: SettingsProps) {
  return (
    <>
      <ModelField {...props} />
      {!isForTool(props.draft) && <ImageSettings {...props} />}
    </>
  );
}

function ModelField({ draft, model, models, problems, onChange }: SettingsProps) {
  const operation = operationOf(draft);
  return (
    <Field
      label={texts.create.model}
      aside={statusOf(model)}
      hint={capabilitiesOf(model)}
      problem={problemAt(problems, "model")}
    >
      {(control) => (
        <select
          {...control}
          value={model.id}
          onChange={(event) => onChange({ model: event.target.value })}
        >
          {models.map((one) => (
            <option key={one.id} value={one.id}>
              {texts.create.modelFrom(one.name, lowestPrice(one, operation))}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function ImageSettings(props: FormProps) {
  const { draft, model, problems, onChange } = props;
  const operation = operationOf(draft);
  // The size of an edit may follow its image.
  const sizes = draft.edit === null ? model.image_sizes : ["", ...model.image_sizes];
  return (
    <>
      {draft.edit === null && (
        <Choices
          label={texts.create.aspectRatio}
          columns={4}
          options={model.aspect_ratios}
          value={draft.aspectRatio}
          onChange={(aspectRatio) => onChange({ aspectRatio })}
          problem={problemAt(problems, "aspect_ratio")}
        >
          {(ratio) => (
            <>
              <RatioShape ratio={ratio} /> {ratio}
            </>
          )}
        </Choices>
      )}
      <Choices
        label={texts.create.size}
        columns={Math.min(sizes.length, 4)}
        options={sizes}
        value={draft.imageSize}
        onChange={(imageSize) => onChange({ imageSize })}
        problem={problemAt(problems, "image_size")}
      >
        {(size) =>
          size === "" ? (
            texts.create.sizeAuto
          ) : (
            <>
              {size}
              <small className="num">{formatEur(priceOf(model, size, operation))}</small>
            </>
          )
        }
      </Choices>
      <div className={styles.pair}>
        <Count {...props} />
        {model.supports_seed && <Seed {...props} />}
      </div>
    </>
  );
}

function Count({ draft, model, problems, onChange }: FormProps) {
  const counts = Array.from({ length: model.max_n }, (_, index) => index + 1);
  return (
    <Field label={texts.create.count} problem={problemAt(problems, "n")}>
      {(control) => (
        <select
          {...control}
          value={draft.count}
          onChange={(event) => onChange({ count: Number(event.target.value) })}
        >
          {counts.map((count) => (
            <option key={count}>{count}</option>
          ))}
        </select>
      )}
    </Field>
  );
}

function Seed({ draft, problems, onChange }: FormProps) {
  return (
    <Field label={texts.create.seed} problem={problemAt(problems, "seed")}>
      {(control) => (
        <input
          {...control}
          inputMode="numeric"
          value={draft.seed}
          placeholder={texts.create.seedRandom}
          onChange={({ target }) =>
            onChange({ seed: target.value.replaceAll(/\D/g, "").slice(0, 10) })
          }
        />
      )}
    </Field>
  );
}

/** The price of one image of a size in EUR. */
function priceOf(model: Model, size: string, operation: FormOperation): string {
  const ofSize = model.prices.filter(({ image_size: priced }) => priced === size);
  const price =
    ofSize.find((one) => one.operation === operation) ??
    ofSize.find((one) => one.operation === undefined);
  return price?.eur ?? "0";
}

/** A tool has the price of the default size. */
function lowestPrice(model: Model, operation: FormOperation): string {
  const sizes =
    operation === "image" || operation === "edit" ? model.image_sizes : [model.default_image_size];
  const prices = sizes.map((size) => Number(priceOf(model, size, operation)));
  return formatEur(Math.min(...prices));
}

/** Describes the model and its capabilities. */
function capabilitiesOf(model: Model): string {
  const { capabilities } = texts.create;
  const able = [
    model.supports_references && capabilities.references(model.max_reference_images),
    model.supports_edit && capabilities.edit,
    model.supports_mask && capabilities.mask,
    model.supports_seed && capabilities.seed,
    model.supports_negative_prompt && capabilities.negativePrompt,
    model.supports_transparency && capabilities.transparency,
    model.supports_multiturn && capabilities.story,
  ].filter((name) => name !== false);
  const { description } = model;
  return able.length === 0 ? description : `${description} ${texts.create.can(able.join(", "))}`;
}
