import { useQuery } from "@tanstack/react-query";
import type { CSSProperties } from "react";
import { Link, useParams } from "wouter";
import { jobQuery, queryClient } from "../../data/queries.ts";
import { useJob } from "../../data/use-job.ts";
import { texts } from "../../texts/stories.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Picture } from "../../ui/picture.tsx";
import { againQuery, shownScenesQuery } from "./queries.ts";
import { titleOf } from "./board-head.tsx";
import styles from "./sheet.module.css";
import { columnOf, referenceImages, sceneImages, shownImages } from "./story-cards.ts";
import { StoryUnread, useOnlyStories } from "./story-unread.tsx";

/**
 * The contact sheet of a story: a page to print or to save as PDF. Its images are not drawn on a
 * canvas, because they may be of another origin, which the page must not read.
 */
export default function Sheet() {
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
  const scenes = shownImages(sceneImages(job, again.data ?? []), shown.data);
  const unread = again.error ?? shown.error;
  const references = referenceImages(job).filter(({ thumbnailUrl, url }) => thumbnailUrl ?? url);
  return (
    <main id="main" tabIndex={-1} className={styles.page}>
      <Link href={`/stories/${id}`} className={styles.back}>
        <Icon name="left" size={16} /> {texts.stories.toStory}
      </Link>
      <div className={styles.tools}>
        <h1>{texts.pages.contactSheet}</h1>
        <Button look="primary" onClick={() => print()}>
          {texts.stories.print}
        </Button>
      </div>
      <Problem
        error={unread}
        onRetry={() => void Promise.all([again.refetch(), shown.refetch()])}
      />
      <article className={styles.sheet}>
        <h2>{titleOf(job)}</h2>
        <ul className={styles.cast}>
          {references.map((image) => (
            <li key={image.id}>
              <Picture
                src={image.thumbnailUrl ?? image.url ?? ""}
                alt={image.text}
                onExpired={refresh}
              />
              <span>{image.name}</span>
            </li>
          ))}
        </ul>
        <ol className={styles.scenes} style={{ "--column": columnOf(scenes) } as CSSProperties}>
          {scenes.map((image) => (
            <li key={image.id}>
              {image.url === undefined ? (
                <p>
                  {image.status === "completed" || image.status === "supplied"
                    ? texts.stories.notKept
                    : texts.stories.imageStates[image.status]}
                </p>
              ) : (
                <Picture src={image.url} alt={image.text} onExpired={refresh} />
              )}
              <span>
                <strong>{image.scene}</strong> {image.text}
              </span>
            </li>
          ))}
        </ol>
      </article>
    </main>
  );
}
