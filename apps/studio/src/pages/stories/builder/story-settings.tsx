import type { Model } from "@atelier/schemas";
import { useState } from "react";
import { statusOf } from "../../../form/model-status.ts";
import { problemAt } from "../../../form/problems.ts";
import { RatioShape } from "../../../form/ratio-shape.tsx";
import { formatEur } from "../../../format.ts";
import { texts } from "../../../texts/stories.ts";
import { Choices } from "../../../ui/choices.tsx";
import { Field, type ControlProps } from "../../../ui/field.tsx";
import { StyleButton, type ChosenStyle } from "../../create/style/style-button.tsx";
import styles from "./builder.module.css";
import { isDrafted, type ChangeDraft, type StoryDraft } from "./draft.ts";
import type { Problems } from "./problems.ts";

/** Properties that the parts of the settings share. */
export interface SettingsProps {
  readonly draft: StoryDraft;
  readonly models: readonly Model[];
  readonly model: Model;
  readonly problems: Problems;
  readonly onChange: ChangeDraft;
}

/** The texts that all images of the story share. */
export function StoryTexts(
  props: Omit<SettingsProps, "models" | "model"> & { readonly modelId: string | undefined },
) {
  const { draft, problems, onChange, modelId } = props;
  const { fields } = texts.stories;
  const [style, setStyle] = useState<ChosenStyle | null>(null);
  const markOf = (name: "title" | "setting" | "style") =>
    isDrafted(draft, name, draft[name]) && texts.stories.drafted;
  const field = (name: "prompt" | "setting" | "style", maxLength: number) => (
    <Field
      label={fields[name].label}
      aside={name !== "prompt" && markOf(name)}
      problem={problems.get(name)}
    >
      {(control: ControlProps) => (
        <textarea
          dir="auto"
          {...control}
          rows={name === "prompt" ? 2 : 1}
          value={draft[name]}
          maxLength={maxLength}
          placeholder={fields[name].placeholder}
          onChange={({ target }) => onChange(() => ({ [name]: target.value }))}
        />
      )}
    </Field>
  );
  return (
    <>
      <Field
        label={fields.title.label}
        aside={markOf("title") || texts.stories.optional}
        problem={problems.get("title")}
      >
        {(control) => (
          <input
            {...control}
            dir="auto"
            value={draft.title}
            maxLength={100}
            placeholder={fields.title.placeholder}
            onChange={({ target }) => onChange(() => ({ title: target.value }))}
          />
        )}
      </Field>
      {field("prompt", 32_000)}
      {field("setting", 4_000)}
      {field("style", 4_000)}
      <div className={styles.styleTools}>
        <StyleButton
          text={draft.style}
          style={style}
          modelId={modelId}
          onChange={(text, chosen) => {
            setStyle(chosen);
            onChange(() => ({ style: text }));
          }}
        />
      </div>
    </>
  );
}

/** Model, shape and size of the images. */
export function StorySettings({ draft, models, model, problems, onChange }: SettingsProps) {
  const isKnown = models.some(({ id }) => id === draft.model);
  return (
    <>
      <Field
        label={texts.create.model}
        aside={statusOf(model)}
        hint={capabilitiesOf(model)}
        problem={problemAt(problems, "model")}
      >
        {(control) => (
          <select
            {...control}
            value={draft.model === "" ? model.id : draft.model}
            onChange={({ target }) => onChange(() => ({ model: target.value }))}
          >
            {!isKnown && draft.model !== "" && <option>{draft.model}</option>}
            {models.map(({ id, name, prices }) => (
              <option key={id} value={id}>
                {texts.stories.modelWithPrice(name, formatEur(prices[0]?.eur ?? 0))}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Choices
        label={texts.create.aspectRatio}
        columns={4}
        options={model.aspect_ratios}
        value={draft.aspectRatio || model.default_aspect_ratio}
        onChange={(aspectRatio) => onChange(() => ({ aspectRatio }))}
        problem={problems.get("aspect_ratio")}
      >
        {(ratio) => (
          <>
            <RatioShape ratio={ratio} /> {ratio}
          </>
        )}
      </Choices>
      <Choices
        label={texts.create.size}
        columns={Math.min(model.image_sizes.length, 4)}
        options={model.image_sizes}
        value={draft.imageSize || model.default_image_size}
        onChange={(imageSize) => onChange(() => ({ imageSize }))}
        problem={problems.get("image_size")}
      >
        {(size) => (
          <>
            {size}
            <small className="num">{priceOf(model, size)}</small>
          </>
        )}
      </Choices>
    </>
  );
}

/** The price of one image of a size. */
function priceOf({ prices }: Model, size: string): string {
  const ofSize = prices.filter(({ image_size: priced }) => priced === size);
  const price =
    ofSize.find(({ operation }) => operation === "story") ??
    ofSize.find(({ operation }) => operation === undefined);
  return price === undefined ? "" : formatEur(price.eur);
}

function capabilitiesOf(model: Model): string {
  const { capabilities } = texts.create;
  const able = [
    model.supports_references && capabilities.references(model.max_reference_images),
    model.supports_seed && capabilities.seed,
    model.supports_negative_prompt && capabilities.negativePrompt,
  ].filter((name) => name !== false);
  const { description } = model;
  return able.length === 0 ? description : `${description} ${texts.create.can(able.join(", "))}`;
}
