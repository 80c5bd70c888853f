import type { Job } from "@atelier/schemas";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { ApiError } from "../../../api.ts";
import { jobQuery, queryClient } from "../../../data/queries.ts";
import { texts } from "../../../texts/stories.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Problem } from "../../../ui/problem.tsx";
import styles from "./board.module.css";

/** In place of a story that is not there, that cannot be read, or that is still being read. */
export function StoryUnread({ id, error }: { readonly id: string; readonly error: unknown }) {
  const [, navigate] = useLocation();
  if (error === null) return <Loading />;
  return (
    <main id="main" tabIndex={-1} className={styles.page}>
      {isMissing(error) ? (
        <EmptyState
          isPage
          icon="alert"
          title={texts.stories.missing}
          hint={texts.stories.missingHint}
        >
          <Button onClick={() => navigate("/stories")}>{texts.stories.toStories}</Button>
        </EmptyState>
      ) : (
        <>
          <h1>{texts.stories.unread}</h1>
          <Problem error={error} onRetry={() => void queryClient.invalidateQueries(jobQuery(id))} />
        </>
      )}
    </main>
  );
}

/** Also an id that no job can have. */
function isMissing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400);
}

/** Opens jobs that are no stories on the page that shows them. */
export function useOnlyStories(job: Job | undefined): void {
  const [, navigate] = useLocation();
  const otherId = job === undefined || job.kind === "story" ? null : job.id;
  useEffect(() => {
    if (otherId !== null) navigate(`/?job=${otherId}`, { replace: true });
  }, [otherId, navigate]);
}
