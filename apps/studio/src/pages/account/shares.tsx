import type { Share } from "@atelier/schemas/endpoints";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { sharesQuery, stopShare } from "../../data/shares.ts";
import { formatTime } from "../../format.ts";
import { texts } from "../../texts/share.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { Problem } from "../../ui/problem.tsx";
import { showToast } from "../../ui/toast.tsx";
import styles from "./account.module.css";

/** The links of the account, with their ends; each can be stopped. */
export function Shares() {
  const { data: shares, error, refetch } = useQuery(sharesQuery);
  const [toStop, setToStop] = useState<Share | null>(null);
  const { allImages, ofImage, times, openJob, stop, stopOf, empty } = texts.share;
  return (
    <>
      <Problem error={error} onRetry={() => void refetch()} />
      {shares?.length === 0 && <p className={styles.note}>{empty}</p>}
      {shares !== undefined && shares.length > 0 && (
        <ul className={styles.sessions} aria-label={texts.share.list}>
          {shares.map((share) => (
            <li key={share.id}>
              <div>
                <strong>{share.image === null ? allImages : ofImage(share.image + 1)}</strong>{" "}
                <Link href={`/library?job=${share.job_id}`}>{openJob}</Link>
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
