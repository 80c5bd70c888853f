import { useQuery } from "@tanstack/react-query";
import { accountQuery } from "../../data/queries.ts";
import { problemAt } from "../../form/problems.ts";
import { texts } from "../../texts.ts";
import { Choices } from "../../ui/choices.tsx";
import { useOpen } from "../../ui/dialogs/use-open.ts";
import { Field } from "../../ui/field.tsx";
import styles from "./composer.module.css";
import { isForTool, type Draft } from "./draft.ts";
import type { FormProps } from "./form-props.ts";

const backgrounds = ["opaque", "transparent"] as const;

/** The settings that are changed rarely. Open when one differs from its default or has a problem. */
export function MoreSettings({ draft, model, problems, onChange }: FormProps) {
  const { data: account } = useQuery(accountQuery);
  const hasProblem = ["negative_prompt", "background", "strictness"].some(
    (field) => problemAt(problems, field) !== undefined,
  );
  const isPlain = isForTool(draft);
  const isUsed =
    draft.strictness !== "" ||
    (!isPlain && (draft.negativePrompt !== "" || draft.background !== "opaque"));
  const names = texts.create.strictnessNames;
  const opening = useOpen(hasProblem || isUsed);
  return (
    <details className={styles.more} {...opening}>
      <summary>{texts.create.more}</summary>
      <div>
        {model.supports_negative_prompt && !isPlain && (
          <Field
            label={texts.create.negativePrompt}
            hint={texts.create.negativePromptHint}
            problem={problemAt(problems, "negative_prompt")}
          >
            {(control) => (
              <textarea
                dir="auto"
                {...control}
                rows={1}
                maxLength={4_000}
                value={draft.negativePrompt}
                onChange={(event) => onChange({ negativePrompt: event.target.value })}
              />
            )}
          </Field>
        )}
        {model.supports_transparency && !isPlain && (
          <Choices
            label={texts.create.background}
            columns={2}
            options={backgrounds}
            value={draft.background}
            onChange={(background) => onChange({ background: background as Draft["background"] })}
            problem={problemAt(problems, "background")}
          >
            {(background) => texts.create.backgrounds[background as Draft["background"]]}
          </Choices>
        )}
        <Field
          label={texts.create.strictness}
          hint={texts.create.strictnessHint}
          problem={problemAt(problems, "strictness")}
        >
          {(control) => (
            <select
              {...control}
              value={draft.strictness}
              onChange={({ target }) =>
                onChange({ strictness: target.value as Draft["strictness"] })
              }
            >
              <option value="">
                {texts.create.strictnessDefault(names[account?.strictness ?? "normal"])}
              </option>
              <option value="normal">{names.normal}</option>
              <option value="liberal">{names.liberal}</option>
            </select>
          )}
        </Field>
      </div>
    </details>
  );
}
