import type { Model } from "@atelier/schemas";
import { texts } from "../../texts.ts";
import { Field } from "../../ui/field.tsx";
import { Fold } from "../../ui/fold.tsx";
import { Problem } from "../../ui/problem.tsx";
import styles from "./composer.module.css";
import { CodeButton } from "./code-button.tsx";
import type { Draft, DraftChange, DraftRequest } from "./draft.ts";
import { EditCard } from "./edit-card.tsx";
import { GenerateButton, type OrderState } from "./generate-button.tsx";
import { MoreSettings } from "./more-settings.tsx";
import { ParameterSettings } from "./parameters/parameter-settings.tsx";
import { hasFieldProblem, hasSettingsProblem, problemAt } from "./problems.ts";
import { References } from "./references.tsx";
import { Settings } from "./settings.tsx";
import type { ReferenceInput } from "./use-references.ts";

/** The form of a request, with its price on the button. */
export function Composer(props: {
  readonly draft: Draft;
  readonly models: readonly Model[];
  readonly modelsError: unknown;
  readonly onModels: () => void;
  readonly model: Model | undefined;
  readonly problems: ReadonlyMap<string, string>;
  readonly order: OrderState;
  readonly references: ReferenceInput;
  readonly request: DraftRequest;
  /** Whether a model can limit an edit to a mask. */
  readonly canMask: boolean;
  readonly onChange: DraftChange;
  readonly onGenerate: () => void;
}) {
  const { draft, models, model, problems, onChange, onGenerate } = props;
  return (
    <form
      className={styles.composer}
      aria-label={texts.pages.create}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onGenerate();
      }}
      // Enter in a field submits a form; here that would cost money by accident.
      onKeyDown={(event) => {
        if (event.key === "Enter" && event.target instanceof HTMLInputElement) {
          event.preventDefault();
        }
      }}
    >
      <div className={styles.fields}>
        <div className={styles.heading}>
          <h1>{texts.create.title}</h1>
          <CodeButton request={props.request} />
        </div>
        {draft.edit !== null && (
          <EditCard
            key={JSON.stringify(draft.edit.image)}
            edit={draft.edit}
            canMask={props.canMask}
            problem={problemAt(problems, "image") ?? problemAt(problems, "mask")}
            onChange={onChange}
          />
        )}
        <Field
          label={draft.edit === null ? texts.create.prompt : texts.create.editPrompt}
          problem={problemAt(problems, "prompt")}
        >
          {(control) => (
            <textarea
              {...control}
              className={`${control.className} ${styles.prompt}`}
              value={draft.prompt}
              onChange={(event) => onChange({ prompt: event.target.value })}
              placeholder={
                draft.edit === null ? texts.create.promptPlaceholder : texts.create.editPlaceholder
              }
              maxLength={32_000}
              rows={4}
            />
          )}
        </Field>
        {models.length === 0 && <Problem error={props.modelsError} onRetry={props.onModels} />}
        {model !== undefined && (
          <Fold
            summary={summaryOf(draft, model)}
            name={texts.create.settingsSummary}
            hasProblem={hasSettingsProblem(problems)}
          >
            <Settings {...{ draft, model, problems, onChange }} models={models} />
            {model.supports_references && (
              <References {...{ draft, model, problems, onChange }} input={props.references} />
            )}
            <ParameterSettings
              {...{ model, problems }}
              imageSize={draft.imageSize || model.default_image_size}
              values={draft.parameters}
              onChange={(parameters) => onChange({ parameters })}
            />
            <MoreSettings {...{ draft, model, problems, onChange }} />
          </Fold>
        )}
      </div>
      <GenerateButton draft={draft} hasFieldProblems={hasFieldProblem(problems)} {...props.order} />
    </form>
  );
}

function summaryOf(draft: Draft, model: Model): string {
  const parts = [
    model.name,
    ...(draft.edit === null ? [draft.aspectRatio] : []),
    draft.imageSize || texts.create.sizeAuto,
  ];
  if (draft.count > 1) parts.push(`× ${draft.count}`);
  return parts.join(", ");
}
