import type { Job } from "@atelier/schemas";
import type { CSSProperties } from "react";
import { Link, useParams } from "wouter";
import { texts } from "../../../texts/stories.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Picture } from "../../../ui/picture.tsx";
import { Problem } from "../../../ui/problem.tsx";
import { titleOfStory } from "../title-of-story.ts";
import { StoryUnread } from "../board/story-unread.tsx";
import { useFinishedStory } from "../board/use-finished-story.ts";
import { readBook } from "../book/book.ts";
import { freshBook } from "../book/use-fresh-book.ts";
import { useCast } from "../cast/use-cast.ts";
import { columnOf, shownImages } from "../story-cards.ts";
import styles from "./sheet.module.css";

/**
 * The contact sheet of a story: a page to print or to save as PDF. Its images are not drawn on a
 * canvas, because they may be of another origin, which the page must not read.
 */
export default function Sheet() {
  const { id } = useParams<{ id: string }>();
  const { job, error, isLoading, shown, versionsError, retry, refresh, ...story } =
    useFinishedStory(id);
  if (job === undefined) return <StoryUnread id={id} error={error} />;
  if (isLoading) return <Loading />;
  return <SheetOfStory key={id} {...{ job, shown, versionsError, retry, refresh, ...story }} />;
}

type Story = ReturnType<typeof useFinishedStory>;

function SheetOfStory(
  props: Pick<Story, "scenes" | "again" | "shown" | "versionsError" | "retry" | "refresh"> & {
    readonly job: Job;
  },
) {
  const { job, scenes: all, again, shown, versionsError, retry, refresh } = props;
  const images = shownImages(all, shown);
  const book = readBook(job.book, freshBook(job, all), job.scenes_total ?? 0);
  const { cast } = useCast(job, again, book.cast);
  const scenes = book.pages.flatMap(({ scene }) => images.filter((image) => image.scene === scene));
  const references = cast.shown.filter(({ thumbnailUrl, url }) => thumbnailUrl ?? url);
  return (
    <main id="main" tabIndex={-1} className={styles.page}>
      <Link href={`/stories/${job.id}`} className={styles.back}>
        <Icon name="left" size={16} /> {texts.stories.toStory}
      </Link>
      <div className={styles.tools}>
        <h1 className={styles.heading}>{texts.pages.contactSheet}</h1>
        <Button look="primary" onClick={() => print()}>
          {texts.stories.print}
        </Button>
      </div>
      <Problem error={versionsError} onRetry={retry} />
      <article className={styles.sheet}>
        <h2>{titleOfStory(job)}</h2>
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
