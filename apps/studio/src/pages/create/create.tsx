import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState, type KeyboardEvent } from "react";
import { useSearchParams } from "wouter";
import { ApiError } from "../../api.ts";
import { isFinal, modelsQuery, queryClient } from "../../data/queries.ts";
import { useJob } from "../../data/use-job.ts";
import { failureOf, failureOfJob, problemsByField } from "../../form/problems.ts";
import { imagesOf } from "../../pictures/images-of.ts";
import { operationsOf } from "./changes.ts";
import { Composer } from "./composer.tsx";
import styles from "./create.module.css";
import {
  fitDraft,
  hasImages,
  isComplete,
  modelsFor,
  requestOf,
  switchOperation,
  type Draft,
  type DraftChange,
} from "./draft.ts";
import { useReferences } from "./references/use-references.ts";
import { Stage } from "./stage/stage.tsx";
import { useDraft } from "./use-draft.ts";
import { useGenerate } from "./use-generate.ts";
import { useQuote } from "./use-quote.ts";
import { useSecondsUntil } from "./use-seconds-until.ts";

const noModels: readonly never[] = [];

/** The page that makes images: the form at the left, the image at the right. */
export default function Create() {
  const [search, setSearch] = useSearchParams();
  const shownId = search.get("job");
  const [draft, setDraft] = useDraft();
  const change = useCallback<DraftChange>(
    (part) =>
      setDraft((before) => ({ ...before, ...(typeof part === "function" ? part(before) : part) })),
    [],
  );

  const { data: models = noModels, error: modelsError } = useQuery(modelsQuery);
  const choices = modelsFor(models, draft);
  const model = choices.find(({ id }) => id === draft.model) ?? choices[0];
  const fitted = useMemo(
    () => (model === undefined ? draft : fitDraft(draft, model)),
    [draft, model],
  );
  const request = useMemo(() => requestOf(fitted), [fitted]);
  const quoted = useQuote(model === undefined || !hasImages(fitted) ? null : request);

  const references = useReferences(fitted, model, { models, change });
  const isUploading = references.pending > 0;
  const [submitted, setSubmitted] = useState<{ jobId: string; draft: Draft } | null>(null);
  const generating = useGenerate();
  const [retryAt, setRetryAt] = useState(0);
  const secondsLeft = useSecondsUntil(retryAt);
  const { job, error: jobError } = useJob(shownId);
  const isAwaited = job === undefined && jobError === null && submitted?.jobId === shownId;
  const isBusy = generating.isPending || isAwaited || (job !== undefined && !isFinal(job));
  const canGenerate =
    isComplete(fitted) && model !== undefined && !isBusy && !isUploading && secondsLeft === 0;
  function generate(): void {
    if (!canGenerate) return;
    references.forget();
    // These are called only while the page is open: another page keeps its address.
    generating.mutate(
      { draft, request },
      {
        onSuccess: (jobId) => {
          setSubmitted({ jobId, draft });
          setSearch({ job: jobId });
          scrollToStage();
        },
        onError: (error) => {
          const seconds = error instanceof ApiError ? error.retryAfterSeconds : null;
          if (seconds !== null) setRetryAt(Date.now() + 1_000 * seconds);
        },
      },
    );
  }

  // A keyboard is at hand; on a phone, the keyboard of the screen would cover the page.
  const isNew = shownId === null;
  useEffect(() => {
    const isFree = document.activeElement === null || document.activeElement.matches("body, main");
    if (isNew && isFree && matchMedia("(pointer: fine)").matches) {
      document.querySelector("textarea")?.focus({ preventScroll: true });
    }
  }, [isNew]);

  const index = Math.trunc(Number(search.get("image"))) || 0;
  const shown = job?.result == null ? undefined : imagesOf(job.result)[index];
  const shownImage =
    job === undefined || shown?.url === undefined ? null : { job_id: job.id, image: index };

  // A problem belongs to the draft that had it, until the draft changes.
  const jobFailure =
    job !== undefined && submitted?.jobId === job.id && submitted.draft === draft
      ? failureOfJob(job.error)
      : null;
  const requestFailure = generating.variables?.draft === draft ? failureOf(generating.error) : null;
  const problems = problemsByField(requestFailure ?? jobFailure ?? failureOf(quoted.error));

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey) || event.repeat) return;
    // A dialog is about something else.
    if (event.target instanceof Element && event.target.closest("dialog") !== null) return;
    event.preventDefault();
    generate();
  }

  return (
    // Ctrl or Cmd and Enter generate from any field.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <main id="main" tabIndex={-1} className={styles.page} onKeyDown={onKeyDown}>
      <Composer
        draft={fitted}
        models={choices}
        modelsError={modelsError}
        model={model}
        allModels={models}
        operations={operationsOf(models)}
        problems={problems}
        onModels={() => void queryClient.refetchQueries(modelsQuery)}
        order={{
          quote: quoted.quote,
          isQuoteStale: quoted.isStale,
          quoteError: quoted.error,
          onQuote: quoted.refetch,
          failure: requestFailure,
          isBusy,
          isUploading,
          secondsLeft,
          canGenerate,
        }}
        references={references}
        request={request}
        onChange={change}
        onOperation={(operation) => {
          references.forget();
          change((before) => switchOperation(before, operation, shownImage));
        }}
        onGenerate={generate}
      />
      <Stage
        shownId={shownId}
        job={job}
        jobError={jobError}
        draft={fitted}
        models={models}
        index={index}
        onShow={(id, at = 0) =>
          setSearch(at === 0 ? { job: id } : { job: id, image: String(at) }, {
            replace: id === shownId,
          })
        }
        onChange={change}
        onRefer={references.refer}
      />
    </main>
  );
}

/** On a narrow screen, the image is below the form. */
function scrollToStage(): void {
  if (matchMedia("(max-width: 860px)").matches) {
    document.getElementById("stage")?.scrollIntoView({ block: "start" });
  }
}
