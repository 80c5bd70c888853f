import type { Share } from "@atelier/schemas/endpoints";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { jobQuery } from "../../data/queries.ts";
import { sharesQuery, stopShare } from "../../data/shares.ts";
import { formatTime } from "../../format.ts";
import { texts } from "../../texts/share.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { Problem } from "../../ui/problem.tsx";
import { showToast } from "../../ui/toast.tsx";
import { titleOf, toListed } from "../library/images-of-job.ts";
import styles from "./account.module.css";

/** Links at a time: the title of each is a request. */
const pageSize = 20;

/** The links of the account, with their ends; each can be stopped. */
export function Shares() {
  const { data: shares, error, refetch } = useQuery(sharesQuery);
  const [shown, setShown] = useState(pageSize);
  const [toStop, setToStop] = useState<Share | null>(null);
  const { allImages, ofImage, times, openJob, stop, stopOf, empty } = texts.share;
  return (
    <>
      <Problem error={error} onRetry={() => void refetch()} />
      {shares?.length === 0 && <p className={styles.note}>{empty}</p>}
      {shares !== undefined && shares.length > 0 && (
        <ul className={styles.sessions} aria-label={texts.share.list}>
          {shares.slice(0, shown).map((share) => (
            <li key={share.id}>
              <div>
                <ShareTitle share={share} />
                <p>
                  {share.image === null ? allImages : ofImage(share.image + 1)}{" "}
                  <Link href={`/library?job=${share.job_id}`}>{openJob}</Link>
                </p>
                <p>{times(formatTime(share.created_at), formatTime(share.expires_at))}</p>
              </div>
              <Button
                aria-label={stopOf(formatTime(share.created_at))}
                onClick={() => setToStop(share)}
              >
                {stop}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {shares !== undefined && shares.length > shown && (
        <div>
          <Button onClick={() => setShown(shown + pageSize)}>{texts.common.more}</Button>
        </div>
      )}
      {toStop !== null && (
        <ConfirmDialog
          title={texts.share.stopTitle}
          action={stop}
          onConfirm={async () => {
            await stopShare(toStop.id);
            showToast(texts.share.stopped);
          }}
          onClose={() => setToStop(null)}
        >
          <p>{texts.share.stopHint}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** The title or the prompt of the job whose images a link shows; nothing until it is read. */
function ShareTitle({ share }: { readonly share: Share }) {
  const { data: job } = useQuery(jobQuery(share.job_id));
  if (job === undefined) return null;
  return (
    <strong className={styles.title}>
      {job.title ?? job.result?.title ?? titleOf(toListed(job))}
    </strong>
  );
}
