import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import { jobQuery, queryClient } from "../../../data/queries.ts";
import { useJob } from "../../../data/use-job.ts";
import { texts } from "../../../texts/book.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Problem } from "../../../ui/problem.tsx";
import { againQuery, shownScenesQuery } from "../queries.ts";
import { sceneImages } from "../story-cards.ts";
import { StoryUnread, useOnlyStories } from "../story-unread.tsx";
import { BookEditor } from "./book-editor.tsx";
import styles from "./book.module.css";

/** The pages of a finished story: a book whose texts, order and cover can be changed. */
export default function BookOfStory() {
  const { id } = useParams<{ id: string }>();
  const { job, error } = useJob(id);
  const enabled = job?.status === "completed";
  const again = useQuery({ ...againQuery(id), enabled });
  const shown = useQuery({ ...shownScenesQuery(id), enabled });
  useOnlyStories(job);
  if (job === undefined) return <StoryUnread id={id} error={error} />;
  if (again.isLoading || shown.isLoading) return <Loading />;
  function refresh(): void {
    void queryClient.invalidateQueries(jobQuery(id));
    void queryClient.invalidateQueries(againQuery(id));
  }
  const scenes = sceneImages(job, again.data ?? []);
  const unread = again.error ?? shown.error;
  return (
    <main id="main" tabIndex={-1} className={styles.page}>
      <Link href={`/stories/${id}`} className={styles.back}>
        <Icon name="left" size={16} /> {texts.stories.toStory}
      </Link>
      <Problem
        error={unread}
        onRetry={() => void Promise.all([again.refetch(), shown.refetch()])}
      />
      {!enabled || scenes.length === 0 ? (
        <>
          <h1>{texts.pages.book}</h1>
          <EmptyState icon="story" title={texts.book.empty} hint={texts.book.emptyHint} />
        </>
      ) : (
        <BookEditor key={id} job={job} scenes={scenes} shown={shown.data} onExpired={refresh} />
      )}
    </main>
  );
}
