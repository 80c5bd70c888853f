import type { Job } from "@atelier/schemas";
import { useEffect, useState } from "react";
import { ApiError, messageOf } from "../../api.ts";
import { jobQuery, queryClient } from "../../data/queries.ts";
import { useJob } from "../../data/use-job.ts";
import { formatTime } from "../../format.ts";
import { Warnings } from "../../pictures/warnings.tsx";
import { texts } from "../../texts/library.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icons.tsx";
import { hasModifier } from "../../ui/input/has-modifier.ts";
import { Actions } from "./actions.tsx";
import { Asked } from "./asked.tsx";
import { Facts } from "./facts.tsx";
import { Files } from "./files.tsx";
import { imagesOfJob } from "./images-of-job.ts";
import { PeekStage } from "./peek-stage.tsx";
import styles from "./peek.module.css";
import { Timeline } from "./timeline.tsx";

/** The details of a job over the list. The left and right arrow keys go on to its neighbours. */
export function Peek(props: {
  readonly id: string;
  readonly canStep: (by: 1 | -1) => boolean;
  readonly onStep: (by: 1 | -1) => void;
  readonly onClose: () => void;
}) {
  const { id, canStep, onStep, onClose } = props;
  const { job, error } = useJob(id);
  useArrows(onStep);
  return (
    <Dialog
      size="full"
      title={
        job === undefined
          ? texts.library.job
          : texts.library.jobTitle(
              texts.library.operations[job.operation],
              formatTime(job.created_at),
            )
      }
      onClose={onClose}
      actions={<Steps canStep={canStep} onStep={onStep} />}
    >
      {job === undefined && error !== null && (
        <Unread
          error={error}
          onRetry={() => void queryClient.refetchQueries(jobQuery(id))}
          onClose={onClose}
        />
      )}
      {job === undefined && error === null && (
        <p className="sr" role="status">
          {texts.common.loading}
        </p>
      )}
      {job !== undefined && <Details key={id} job={job} />}
    </Dialog>
  );
}

function Steps({ canStep, onStep }: Pick<Parameters<typeof Peek>[0], "canStep" | "onStep">) {
  return (
    <div className={styles.steps}>
      <Button
        look="ghost"
        disabled={!canStep(-1)}
        onClick={() => onStep(-1)}
        aria-label={texts.library.newer}
      >
        <Icon name="left" />
      </Button>
      <Button
        look="ghost"
        disabled={!canStep(1)}
        onClick={() => onStep(1)}
        aria-label={texts.library.older}
      >
        <Icon name="right" />
      </Button>
    </div>
  );
}

function Unread(props: {
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly onClose: () => void;
}) {
  const { error, onRetry, onClose } = props;
  if (error instanceof ApiError && error.code === "job_not_found") {
    return (
      <EmptyState icon="alert" title={texts.library.jobMissing} hint={texts.library.jobMissingHint}>
        <Button onClick={onClose}>{texts.library.toAll}</Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="alert" title={texts.library.jobUnread} hint={messageOf(error)}>
      <Button onClick={onRetry}>{texts.common.tryAgain}</Button>
    </EmptyState>
  );
}

function Details({ job }: { readonly job: Job }) {
  const [index, setIndex] = useState(0);
  const images = job.result === null ? [] : imagesOfJob(job.result);
  const image = images[index] ?? images[0];
  return (
    <div className={styles.details}>
      <PeekStage job={job} images={images} image={image} onIndex={setIndex} />
      <div className={styles.side}>
        <Warnings result={job.result} />
        <Facts job={job} image={image} />
        <Actions job={job} image={image} />
        {image !== undefined && <Files job={job} image={image} />}
        <Timeline job={job} />
        <Asked job={job} />
      </div>
    </div>
  );
}

function useArrows(onStep: (by: 1 | -1) => void): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const { key, target } = event;
      const isField = target instanceof Element && target.matches("input, textarea, select");
      // Another dialog may be open above this one.
      if (isField || hasModifier(event) || document.querySelectorAll("dialog[open]").length > 1)
        return;
      if (key === "ArrowRight") onStep(1);
      if (key === "ArrowLeft") onStep(-1);
    }
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  });
}
