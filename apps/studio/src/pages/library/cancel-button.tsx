import type { ListedJob } from "@atelier/schemas";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { mayChange } from "../../session.ts";
import { texts } from "../../texts/library.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { Icon } from "../../ui/icons.tsx";
import { cancelJob } from "./job-actions.ts";
import { stoppingQuery } from "./running-query.ts";

/**
 * Cancels a job after a confirmation. While the job finishes its current image, says so instead. Shows nothing for
 * jobs that the session may not change.
 */
export function CancelButton(props: {
  readonly job: Pick<ListedJob, "id" | "key" | "renders_total">;
  /** The title of the job, for a button beside those of other jobs. */
  readonly title?: string;
}) {
  const { job, title } = props;
  const [isAsking, setAsking] = useState(false);
  const { data: isStopping } = useQuery(stoppingQuery(job.id));
  if (!mayChange(job)) return null;
  if (isStopping) return <span role="status">{texts.library.stopping}</span>;
  return (
    <>
      <Button
        look={title === undefined ? "danger" : "plain"}
        aria-label={title === undefined ? undefined : texts.library.cancelNamed(title)}
        onClick={() => setAsking(true)}
      >
        <Icon name="close" size={16} />
        {title === undefined ? texts.library.cancel : texts.library.cancelShort}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={texts.library.cancelTitle}
          action={texts.library.cancel}
          keep={texts.library.keepRunning}
          onConfirm={() => cancelJob(job.id)}
          onClose={() => setAsking(false)}
        >
          {title !== undefined && <p>{title}</p>}
          <p>{texts.library.cancelHint(job.renders_total)}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
