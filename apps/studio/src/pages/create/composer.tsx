import type { Model } from "@atelier/schemas";
import { Suspense } from "react";
import { hasFieldProblem, hasSettingsProblem, problemAt } from "../../form/problems.ts";
import { texts } from "../../texts.ts";
import { Field } from "../../ui/field.tsx";
import { Fold } from "../../ui/fold.tsx";
import { loadLater } from "../../ui/load-later.ts";
import { Problem } from "../../ui/problem.tsx";
import type { FormOperation } from "./changes.ts";
import { CodeButton } from "./code-button.tsx";
import styles from "./composer.module.css";
import {
  isForTool,
  operationOf,
  type Draft,
  type DraftChange,
  type DraftRequest,
} from "./draft.ts";
import { GenerateButton, type OrderState } from "./generate-button.tsx";
import { ImproveButton } from "./improve-button.tsx";
import { MoreSettings } from "./more-settings.tsx";
import { OperationChoice } from "./operation-choice.tsx";
import { PresetsButton } from "./presets-button.tsx";
import { References } from "./references/references.tsx";
import type { ReferenceInput } from "./references/use-references.ts";
import { Settings } from "./settings.tsx";
import { StyleButton } from "./style/style-button.tsx";

const ParameterSettings = loadLater(
  async () => (await import("../../form/parameters/parameter-settings.tsx")).ParameterSettings,
);
const ChangeCard = loadLater(async () => (await import("./change/change-card.tsx")).default);

/** The form of a request, with its price on the button. */
export function Composer(props: {
  readonly draft: Draft;
  /** Models for what the draft asks for. */
  readonly models: readonly Model[];
  readonly allModels: readonly Model[];
  readonly operations: readonly FormOperation[];
  readonly modelsError: unknown;
  readonly onModels: () => void;
  readonly model: Model | undefined;
  readonly problems: ReadonlyMap<string, string>;
  readonly order: OrderState;
  readonly references: ReferenceInput;
  readonly request: DraftRequest;
  readonly onChange: DraftChange;
  readonly onOperation: (operation: FormOperation) => void;
  readonly onGenerate: () => void;
}) {
  const { draft, models, model, problems, onChange, onGenerate } = props;
  const isPlain = isForTool(draft);
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
          <h1>{texts.create.titles[operationOf(draft)]}</h1>
          <PresetsButton request={props.request} onChange={onChange} />
          <CodeButton request={props.request} />
        </div>
        <OperationChoice
          operations={props.operations}
          value={operationOf(draft)}
          onChange={props.onOperation}
        />
        {draft.edit !== null && (
          <Suspense fallback={null}>
            <ChangeCard
              {...{ model, problems, onChange }}
              edit={draft.edit}
              models={props.allModels}
              input={props.references}
            />
          </Suspense>
        )}
        {!isPlain && (
          <Field
            label={draft.edit === null ? texts.create.prompt : texts.create.editPrompt}
            problem={problemAt(problems, "prompt")}
          >
            {(control) => (
              <textarea
                dir="auto"
                {...control}
                className={`${control.className} ${styles.prompt}`}
                value={draft.prompt}
                onChange={(event) => onChange({ prompt: event.target.value })}
                placeholder={
                  draft.edit === null
                    ? texts.create.promptPlaceholder
                    : texts.create.editPlaceholder
                }
                maxLength={32_000}
                rows={4}
              />
            )}
          </Field>
        )}
        {draft.edit === null && (
          <div className={styles.tools}>
            <StyleButton
              text={draft.prompt}
              style={draft.style}
              modelId={model?.id}
              onChange={(prompt, style) => onChange({ prompt, style })}
            />
            <ImproveButton prompt={draft.prompt} onChange={onChange} />
          </div>
        )}
        {models.length === 0 && <Problem error={props.modelsError} onRetry={props.onModels} />}
        {model !== undefined && (
          <Fold
            summary={summaryOf(draft, model)}
            name={texts.create.settingsSummary}
            hasProblem={hasSettingsProblem(problems)}
          >
            <Settings {...{ draft, model, problems, onChange }} models={models} />
            {model.supports_references && !isPlain && (
              <References {...{ draft, model, problems, onChange }} input={props.references} />
            )}
            {!isPlain && model.parameters !== null && (
              <Suspense fallback={null}>
                <ParameterSettings
                  {...{ model, problems }}
                  imageSize={draft.imageSize || model.default_image_size}
                  values={draft.parameters}
                  onChange={(parameters) => onChange({ parameters })}
                />
              </Suspense>
            )}
            <MoreSettings {...{ draft, model, problems, onChange }} />
          </Fold>
        )}
      </div>
      <GenerateButton
        draft={draft}
        hasFieldProblems={hasFieldProblem(problems, isPlain)}
        {...props.order}
      />
    </form>
  );
}

function summaryOf(draft: Draft, model: Model): string {
  if (isForTool(draft)) return model.name;
  const parts = [
    model.name,
    ...(draft.edit === null ? [draft.aspectRatio] : []),
    draft.imageSize || texts.create.sizeAuto,
  ];
  if (draft.count > 1) parts.push(`× ${draft.count}`);
  return parts.join(", ");
}
