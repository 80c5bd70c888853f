import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { texts } from "../../texts/stories.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Problem } from "../../ui/problem.tsx";
import { againMetadata, storiesQuery } from "./queries.ts";
import styles from "./stories.module.css";
import { StoryCard } from "./story-card.tsx";

/** The page with the stories of the account. */
export default function Stories() {
  const stories = useInfiniteQuery(storiesQuery);
  const jobs = stories.data?.pages
    .flatMap((page) => page.jobs)
    // Portraits and places that were made again belong to another story, which shows them.
    .filter(({ metadata }) => metadata[againMetadata.story] === undefined);
  return (
    <main id="main" tabIndex={-1} className={styles.page}>
      <header className={styles.head}>
        <h1>{texts.pages.stories}</h1>
        {jobs !== undefined && jobs.length > 0 && <Starts />}
      </header>
      {stories.error !== null && jobs === undefined && (
        <Problem error={stories.error} onRetry={() => void stories.refetch()} />
      )}
      {jobs?.length === 0 && !stories.hasNextPage && (
        <EmptyState icon="story" title={texts.stories.empty} hint={texts.stories.emptyHint}>
          <Starts />
        </EmptyState>
      )}
      {stories.isPending && (
        <ul className={styles.stories} aria-label={texts.common.loading}>
          {[1, 2, 3].map((number) => (
            <li key={number} className={styles.skeleton} />
          ))}
        </ul>
      )}
      {jobs !== undefined && jobs.length > 0 && (
        <ul className={styles.stories}>
          {jobs.map((job) => (
            <li key={job.id}>
              <StoryCard job={job} />
            </li>
          ))}
        </ul>
      )}
      {stories.isFetchNextPageError && <Problem error={stories.error} />}
      {stories.hasNextPage && (
        <div className={styles.next}>
          <Button
            disabled={stories.isFetchingNextPage}
            onClick={() => void stories.fetchNextPage()}
          >
            {texts.stories.older}
          </Button>
        </div>
      )}
    </main>
  );
}

/** The two ways to a story. */
function Starts() {
  return (
    <div className={styles.starts}>
      <Link href="/stories/new?example" className={styles.start}>
        <Icon name="story" size={16} /> {texts.stories.startFromExample}
      </Link>
      <Link href="/stories/new" className={`${styles.start} ${styles.primary}`}>
        <Icon name="plus" size={16} /> {texts.pages.newStory}
      </Link>
    </div>
  );
}
