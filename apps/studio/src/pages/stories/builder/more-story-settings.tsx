import { problemAt } from "../../../form/problems.ts";
import { texts } from "../../../texts/stories.ts";
import { useOpen } from "../../../ui/dialogs/use-open.ts";
import { Field } from "../../../ui/field.tsx";
import styles from "./builder.module.css";
import { SharedReferences } from "./shared-references.tsx";
import type { SettingsProps } from "./story-settings.tsx";

/** The settings that are changed rarely. Open when one differs from its default or has a problem. */
export function MoreStorySettings(props: SettingsProps) {
  const { draft, model, problems, onChange } = props;
  const isUsed =
    draft.seed !== "" ||
    draft.negativePrompt !== "" ||
    draft.strictness !== "" ||
    draft.rawPrompts ||
    draft.references.length > 0;
  const hasProblem = ["seed", "negative_prompt", "strictness", "reference_images"].some(
    (field) => problemAt(problems, field) !== undefined,
  );
  const opening = useOpen(isUsed || hasProblem);
  const names = texts.create.strictnessNames;
  return (
    <details className={styles.more} {...opening}>
      <summary>{texts.create.more}</summary>
      <div>
        {(model.supports_seed || draft.seed !== "") && (
          <Field label={texts.create.seed} problem={problems.get("seed")}>
            {(control) => (
              <input
                {...control}
                inputMode="numeric"
                value={draft.seed}
                placeholder={texts.create.seedRandom}
                onChange={({ target }) =>
                  onChange(() => ({ seed: target.value.replaceAll(/\D/g, "").slice(0, 10) }))
                }
              />
            )}
          </Field>
        )}
        {(model.supports_negative_prompt || draft.negativePrompt !== "") && (
          <Field
            label={texts.create.negativePrompt}
            hint={texts.create.negativePromptHint}
            problem={problems.get("negative_prompt")}
          >
            {(control) => (
              <textarea
                dir="auto"
                {...control}
                rows={1}
                maxLength={4_000}
                value={draft.negativePrompt}
                onChange={({ target }) => onChange(() => ({ negativePrompt: target.value }))}
              />
            )}
          </Field>
        )}
        <Field
          label={texts.create.strictness}
          hint={texts.create.strictnessHint}
          problem={problems.get("strictness")}
        >
          {(control) => (
            <select
              {...control}
              value={draft.strictness}
              onChange={({ target }) =>
                onChange(() => ({ strictness: target.value as typeof draft.strictness }))
              }
            >
              <option value="">{texts.stories.strictnessOfAccount}</option>
              <option value="normal">{names.normal}</option>
              <option value="liberal">{names.liberal}</option>
            </select>
          )}
        </Field>
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={draft.rawPrompts}
            onChange={({ target }) => onChange(() => ({ rawPrompts: target.checked }))}
          />
          <span>
            {texts.stories.rawPrompts}
            <small>{texts.stories.rawPromptsHint}</small>
          </span>
        </label>
        <SharedReferences {...props} />
      </div>
    </details>
  );
}
