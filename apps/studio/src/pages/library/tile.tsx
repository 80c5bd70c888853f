import type { ListedJob } from "@atelier/schemas";
import type { MouseEvent } from "react";
import { isFinal } from "../../data/queries.ts";
import { formatTime } from "../../format.ts";
import { describeLife, endOfLife } from "../../pictures/life.ts";
import { PictureMenu, type PictureUse } from "../../pictures/picture-menu.tsx";
import { isKeptForever, useKeeping } from "../../pictures/use-keeping.ts";
import { useStar } from "../../pictures/use-noting.ts";
import { mayChange } from "../../session.ts";
import { texts } from "../../texts/library.ts";
import { texts as pictureTexts } from "../../texts/pictures.ts";
import { Icon } from "../../ui/icons.tsx";
import { Picture } from "../../ui/picture.tsx";
import { TestBadge } from "../../ui/test-badge.tsx";
import styles from "./gallery.module.css";
import { castPictures, imagesOfJob, isKept, titleOf, type NamedImage } from "./images-of-job.ts";
import { takeOver } from "./job-actions.ts";
import { rereadJob } from "./library-query.ts";

/** One job: its picture, or why it has none. */
export function Tile(props: {
  readonly job: ListedJob;
  /** Width and height of the picture, in pixels. */
  readonly size: number;
  readonly href: string;
  /** How long images are kept; undefined while it is not known. */
  readonly retentionHours: number | undefined;
  /** Whether the Tab key reaches it. */
  readonly isActive: boolean;
  readonly use: PictureUse;
  /** Whether it is selected; null outside of a selection. */
  readonly isSelected: boolean | null;
  /** @param isRange whether all jobs from the one that was selected last are meant. */
  readonly onSelect: (isRange: boolean) => void;
  /** The collection that the list is limited to. */
  readonly collection:
    | { readonly name: string; readonly onRemove: (id: string) => void }
    | undefined;
  readonly onFocus: () => void;
  readonly onOpen: () => void;
}) {
  const { job, size, href, isActive, use, collection, onFocus, onOpen } = props;
  const { isSelected, onSelect } = props;
  const star = useStar(job, takeOver);
  const title = titleOf(job);
  function open(event: MouseEvent): void {
    // As links do, these open a tab.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onOpen();
  }
  const image =
    isFinal(job) && job.result !== null ? imagesOfJob(job.result).find(isKept) : undefined;
  const { width = 0, height = 0 } = Object.values(image?.formats ?? {})[0] ?? {};
  const pixels = pictureTexts.pictures.pixels(width, height);
  const life = describeLife(job, props.retentionHours, Date.now());
  const goneText = describeGone(job, props.retentionHours);
  const keep = useKeeping(job, takeOver);
  const isOwn = mayChange(job);
  const content = (
    <>
      <span className={styles.picture} style={{ height: size }} aria-hidden="true">
        <Content job={job} goneText={goneText} />
      </span>
      <span className={styles.caption}>
        <span className={styles.name} dir="auto">
          <TestBadge mode={job.mode} />
          {title}
        </span>
        <span className="sr">
          {hasNoPicture(job) ? goneText : texts.library.states[job.status]}
        </span>
        <span className="num">{formatTime(job.created_at)}</span>
        {image !== undefined && (
          <span className="num">{[pixels, life].filter((part) => part !== null).join(" · ")}</span>
        )}
      </span>
    </>
  );
  if (isSelected !== null) {
    return (
      <button
        type="button"
        role="checkbox"
        aria-checked={isSelected}
        className={styles.tile}
        tabIndex={isActive ? 0 : -1}
        data-tile
        onFocus={onFocus}
        onClick={(event) => onSelect(event.shiftKey)}
      >
        <span className={styles.check}>{isSelected && <Icon name="check" size={16} />}</span>
        {content}
      </button>
    );
  }
  return (
    <>
      <a
        data-tile
        href={href}
        className={styles.tile}
        tabIndex={isActive ? 0 : -1}
        onFocus={onFocus}
        onClick={open}
      >
        {content}
      </a>
      {isOwn && (
        <button
          type="button"
          className={styles.star}
          tabIndex={isActive ? 0 : -1}
          aria-pressed={job.starred}
          aria-label={texts.library.star(title)}
          title={texts.library.star(title)}
          // Not `disabled`: the focus would be lost.
          aria-disabled={star.isPending}
          onClick={() => {
            if (!star.isPending) star.toggle();
          }}
        >
          <Icon name="star" size={16} />
        </button>
      )}
      {isOwn && image !== undefined && (
        <button
          type="button"
          className={styles.keep}
          // Above the caption, whatever the size of the picture.
          style={{ top: size - 44 }}
          tabIndex={isActive ? 0 : -1}
          aria-pressed={isKeptForever(job)}
          aria-label={pictureTexts.pictures.keepNamed(title)}
          title={pictureTexts.pictures.keepNamed(title)}
          onClick={keep}
        >
          <Icon name="keep" size={16} />
        </button>
      )}
      {image !== undefined && (
        <PictureMenu
          {...{ job, image, title, use }}
          className={styles.menu}
          tabIndex={isActive ? 0 : -1}
          openIn="create"
          collection={
            collection && { name: collection.name, onRemove: () => collection.onRemove(job.id) }
          }
          onJob={takeOver}
        />
      )}
    </>
  );
}

/** Whether no image of a completed job is kept. */
function hasNoPicture(job: ListedJob): boolean {
  if (job.result === null) return false;
  return (pictureOf(imagesOfJob(job.result)) ?? castPictures(job)[0]) === undefined;
}

/** Says that images are gone: after the time that they are kept, or because they were deleted before. */
function describeGone(job: ListedJob, retentionHours: number | undefined): string {
  const end = endOfLife(job, retentionHours);
  if (end !== null && Date.parse(end) <= Date.now()) return texts.library.notKept;
  const count = job.result === null ? 0 : imagesOfJob(job.result).length;
  return texts.library.deleted(count || job.renders_total);
}

/** The URL of the first image that is kept. */
function pictureOf(images: readonly NamedImage[]): string | undefined {
  return images
    .map(({ thumbnailUrl, url }) => thumbnailUrl ?? url)
    .find((url) => url !== undefined);
}

function Content({ job, goneText }: { readonly job: ListedJob; readonly goneText: string }) {
  const { status, result } = job;
  if (!isFinal(job)) return <Running job={job} />;
  if (result === null) {
    return (
      <span className={`${styles.message} ${status === "failed" ? styles.failed : ""}`}>
        <Icon name={status === "failed" ? "alert" : "close"} size={22} />
        {texts.library.states[status]}
      </span>
    );
  }
  const images = imagesOfJob(result);
  const cast = castPictures(job);
  const url = pictureOf(images) ?? cast[0];
  const count = images.length || cast.length;
  if (url === undefined) {
    return (
      <span className={styles.message}>
        <Icon name="image" size={22} />
        {goneText}
        {images[0] !== undefined && <code>{images[0].hash.slice(0, 12)}…</code>}
      </span>
    );
  }
  return (
    <>
      <Picture src={url} alt="" loading="lazy" onExpired={() => rereadJob(job.id)} />
      {count > 1 && (
        <span className={`${styles.badge} num`}>
          <Icon name={job.kind === "story" ? "story" : "gallery"} size={14} />
          {count}
        </span>
      )}
    </>
  );
}

function Running({ job }: { readonly job: ListedJob }) {
  const { status, renders_total: total, renders_completed: done, renders = [] } = job;
  const thumbnail = renders.findLast(({ thumbnail_url: url }) => url !== undefined)?.thumbnail_url;
  return (
    <>
      {thumbnail !== undefined && (
        <Picture src={thumbnail} alt="" onExpired={() => rereadJob(job.id)} />
      )}
      <span
        className={thumbnail === undefined ? `${styles.message} ${styles.working}` : styles.badge}
      >
        {texts.library.states[status]}
        {total > 1 && <span className="num">{texts.library.progress(done, total)}</span>}
      </span>
    </>
  );
}
