import { Link, useParams } from "wouter";
import { texts } from "../../../texts/book.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Problem } from "../../../ui/problem.tsx";
import { StoryUnread } from "../board/story-unread.tsx";
import { useFinishedStory } from "../board/use-finished-story.ts";
import styles from "../story-page.module.css";
import { BookEditor } from "./book-editor.tsx";

/** The pages of a finished story: a book whose texts, order and cover can be changed. */
export default function BookOfStory() {
  const { id } = useParams<{ id: string }>();
  const { job, error, isCompleted, isLoading, scenes, areScenesRead, ...story } =
    useFinishedStory(id);
  if (job === undefined) return <StoryUnread id={id} error={error} />;
  if (isLoading) return <Loading />;
  return (
    <main id="main" tabIndex={-1} className={styles.page}>
      <Link href={`/stories/${id}`} className={styles.back}>
        <Icon name="left" size={16} /> {texts.stories.toStory}
      </Link>
      <Problem error={story.versionsError} onRetry={story.retry} />
      {!isCompleted || scenes.length === 0 ? (
        <>
          <h1 className={styles.heading}>{texts.pages.book}</h1>
          <EmptyState icon="story" title={texts.book.empty} hint={texts.book.emptyHint} />
        </>
      ) : (
        areScenesRead && (
          <BookEditor
            key={id}
            job={job}
            scenes={scenes}
            shown={story.shown}
            again={story.again}
            onExpired={story.refresh}
          />
        )
      )}
    </main>
  );
}
