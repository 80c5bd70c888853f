import { useIsMutating, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { useLocation } from "wouter";
import { modelsQuery } from "../../../data/queries.ts";
import { ParameterSettings } from "../../../form/parameters/parameter-settings.tsx";
import { fitParameters } from "../../../form/parameters/read-schema.ts";
import { keepDraft } from "../../../data/kept-draft.ts";
import { failureOf, hasSettingsProblem, problemsByField } from "../../../form/problems.ts";
import { texts } from "../../../texts/stories.ts";
import { Button } from "../../../ui/button.tsx";
import { Fold } from "../../../ui/fold.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Problem } from "../../../ui/problem.tsx";
import { onEnter } from "../on-enter.ts";
import { keepPage, uploadFilter } from "../reference-picture.tsx";
import { storyRequest } from "../story-request.ts";
import { usePrice } from "../use-price.ts";
import { useSubmission } from "../use-submission.ts";
import styles from "./builder.module.css";
import { Characters } from "./characters.tsx";
import { hasDrafted, isBlank, newDraft } from "./draft.ts";
import { MoreStorySettings } from "./more-story-settings.tsx";
import { GenerateButton } from "./generate-button.tsx";
import { Places } from "./places.tsx";
import { draftProblems, remainingProblems } from "./problems.ts";
import { Scenes } from "./scenes.tsx";
import { StartFromIdea } from "./start-from-idea.tsx";
import { StorySettings, StoryTexts } from "./story-settings.tsx";
import { Transfer } from "./transfer.tsx";
import { useStoryDraft } from "./use-story-draft.ts";

const noModels: readonly never[] = [];

/** The page that builds a story: its settings at the left, its cast and scenes at the right. */
export default function Builder() {
  const [, navigate] = useLocation();
  const form = useRef<HTMLFormElement>(null);

  const reading = useQuery(modelsQuery);
  const { data: models = noModels, error: modelsError } = reading;
  const storyModels = useMemo(
    () => models.filter(({ operations }) => operations.includes("story")),
    [models],
  );
  const { draft: typed, model, change, replace, replaced, restore } = useStoryDraft(storyModels);
  const draft = useMemo(
    () => ({ ...typed, parameters: fitParameters(typed.parameters, model?.parameters ?? null) }),
    [typed, model],
  );
  const modelId = draft.model || (model?.id ?? "");
  const request = useMemo(() => storyRequest({ ...draft, model: modelId }), [draft, modelId]);
  const priced = useMemo(() => storyRequest({ ...draft, model: modelId }, true), [draft, modelId]);
  const {
    quote,
    isQuoteStale,
    error: quoteError,
  } = usePrice("story", model === undefined ? null : priced);

  const submission = useSubmission("story", request, () => keepDraft("story", newDraft()));
  const refusal = failureOf(submission.error);
  const refused = remainingProblems(refusal, submission.variables ?? null, request);
  // A refusal that named fields is over when all of them were corrected.
  const failure = refused.size === 0 && problemsByField(refusal).size > 0 ? null : refusal;
  const quoteFailure = failureOf(quoteError);
  const problems = new Map([
    ...remainingProblems(quoteFailure, priced, priced),
    ...refused,
    ...draftProblems(draft),
  ]);
  useEffect(() => {
    if (submission.error === null) return;
    form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [submission.error]);

  const isUploading = useIsMutating(uploadFilter) > 0;
  const canGenerate = model !== undefined && !submission.isPending && !isUploading;
  function generate(): void {
    if (!canGenerate) return;
    if (draftProblems(draft).size > 0) {
      form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
      return;
    }
    // Not when another page was opened in the meantime.
    submission.mutate(request, { onSuccess: (jobId) => navigate(`/stories/${jobId}`) });
  }
  const settings = model !== undefined && {
    draft,
    models: storyModels,
    model,
    problems,
    onChange: change,
  };
  return (
    // Ctrl or Cmd and Enter generate from any field.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <main id="main" tabIndex={-1} onKeyDown={(event) => onEnter(event, generate)}>
      <form
        {...keepPage}
        ref={form}
        className={styles.page}
        aria-label={texts.pages.newStory}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          generate();
        }}
      >
        <div className={styles.fields}>
          <div className={styles.heading}>
            <h1>{texts.pages.newStory}</h1>
            <Transfer
              draft={draft}
              request={request}
              isComplete={JSON.stringify(request) === JSON.stringify(priced)}
              onImport={replace}
            />
          </div>
          <StartFromIdea draft={draft} modelId={modelId} onDraft={replace} />
          {hasDrafted(draft) && (
            <Notice kind="neutral">
              <p>{texts.stories.draftedNotice}</p>
            </Notice>
          )}
          {replaced !== null && (
            <Notice kind="neutral">
              <p>{texts.stories.replaced}</p>
              <div>
                <Button onClick={restore}>{texts.stories.restore}</Button>
              </div>
            </Notice>
          )}
          <StoryTexts {...{ draft, problems }} modelId={model?.id} onChange={change} />
          {modelsError !== null && model === undefined && (
            <Problem error={modelsError} onRetry={() => void reading.refetch()} />
          )}
          {reading.isSuccess && model === undefined && (
            <Notice kind="neutral">{texts.stories.noModel}</Notice>
          )}
          {settings && (
            <Fold
              name={texts.create.settingsSummary}
              summary={[
                model.name,
                draft.aspectRatio || model.default_aspect_ratio,
                draft.imageSize || model.default_image_size,
              ].join(", ")}
              hasProblem={hasSettingsProblem(problems)}
            >
              <StorySettings {...settings} />
              <ParameterSettings
                {...{ model, problems }}
                imageSize={draft.imageSize || model.default_image_size}
                values={draft.parameters}
                onChange={(parameters) => change(() => ({ parameters }))}
              />
              <MoreStorySettings {...settings} />
            </Fold>
          )}
        </div>
        {/* The column scrolls, so that its content is reached with the keyboard through its fields. */}
        <div className={styles.board} data-scrolls>
          {settings && (
            <>
              <Characters draft={draft} problems={problems} onChange={change} />
              <Places draft={draft} problems={problems} onChange={change} />
              <Scenes {...settings} />
              <label className={styles.castOnly}>
                <input
                  type="checkbox"
                  checked={draft.castOnly}
                  onChange={({ target }) => change(() => ({ castOnly: target.checked }))}
                />
                <span>
                  {texts.stories.castOnly}
                  <small>{texts.stories.castOnlyHint}</small>
                </span>
              </label>
              <div className={styles.clear}>
                <Button
                  look="ghost"
                  aria-disabled={isBlank(draft)}
                  onClick={() => {
                    if (!isBlank(draft)) replace(newDraft());
                  }}
                >
                  {texts.stories.clear}
                </Button>
              </div>
            </>
          )}
        </div>
        <GenerateButton
          quote={quote}
          isQuoteStale={isQuoteStale}
          failure={failure ?? (quoteFailure !== null && problems.size === 0 ? quoteFailure : null)}
          isFailureOfRequest={failure !== null && submission.isUnchanged}
          problemCount={problems.size}
          isBusy={submission.isPending}
          isUploading={isUploading}
          canGenerate={canGenerate}
          isCastOnly={draft.castOnly}
        />
      </form>
    </main>
  );
}
