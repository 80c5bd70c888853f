import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { call, messageOf } from "../../../api.ts";
import { useLostSince } from "../../../data/connection.ts";
import { texts } from "../../../texts/stories.ts";
import { Icon } from "../../../ui/icons.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { SourcePicture } from "../reference-picture.tsx";
import type { StoryImage } from "../story-cards.ts";
import { StoryPicture } from "../story-picture.tsx";
import styles from "./board.module.css";

/** An image of a story: made, in progress, waiting, not made, or not kept any more. */
export function ImageCard(props: {
  readonly image: StoryImage;
  readonly storyId: string;
  /** Whether the session may cancel the job that makes the image. */
  readonly canCancel: boolean;
  /** Whether the story shows this version, or can; null without a choice. */
  readonly choice: "shown" | "choose" | null;
  /** Makes this version the one that the story shows. */
  readonly onChoose: () => Promise<void> | void;
  /** Why it should be made again; null if it should not. */
  readonly outdated?: string | null;
  /** Shows it in full size; null when there is nothing more to show. */
  readonly onOpen: (() => void) | null;
  /** Makes the image again; null when that is not possible. */
  readonly onAgain: (() => void) | null;
  /** Buttons of its scene: what can be done with its image, and where it is in the story. */
  readonly order?: ReactNode;
  readonly onExpired: () => void;
  /** Called after an image that is made again was cancelled. */
  readonly onChanged: () => void;
}) {
  const { image, storyId, canCancel, choice, outdated = null, order } = props;
  const { onOpen, onAgain, onChoose, onExpired, onChanged } = props;
  const { name, text, status, jobId } = image;
  const hasOwnJob = jobId !== storyId;
  const isLost = useLostSince() !== null;
  return (
    <figure
      className={styles.figure}
      data-choice={choice ?? undefined}
      data-status={isLost && isRunning(status) ? "pending" : status}
    >
      {onOpen === null ? (
        <div className={styles.frame}>
          <Content image={image} onExpired={onExpired} />
        </div>
      ) : (
        <button
          type="button"
          className={styles.frame}
          aria-label={texts.stories.open(name)}
          onClick={onOpen}
        >
          <Content image={image} onExpired={onExpired} />
        </button>
      )}
      <figcaption>
        <span className={styles.caption}>
          <strong>{name}</strong>
          {onAgain !== null && (
            <button type="button" aria-label={texts.stories.againName(name)} onClick={onAgain}>
              <Icon name="repeat" size={14} /> {texts.stories.again}
            </button>
          )}
          {hasOwnJob && canCancel && isRunning(status) && (
            <CancelAgain image={image} onChanged={onChanged} />
          )}
        </span>
        {order !== undefined && <span className={styles.order}>{order}</span>}
        {choice === "shown" && (
          <span className={styles.shown}>
            <Icon name="check" size={14} /> {texts.stories.inStory}
          </span>
        )}
        {choice === "choose" && <ShowVersion name={image.name} onChoose={onChoose} />}
        {outdated !== null && (
          <span className={styles.outdated}>
            <Icon name="repeat" size={14} /> {outdated}
          </span>
        )}
        <span className={styles.text}>{text}</span>
      </figcaption>
    </figure>
  );
}

function isRunning(status: StoryImage["status"]): boolean {
  return status === "pending" || status === "processing";
}

/** Makes a version the one that the story shows. */
function ShowVersion(props: {
  readonly name: string;
  readonly onChoose: () => Promise<void> | void;
}) {
  const { name, onChoose } = props;
  const { mutate, isPending } = useMutation({
    mutationFn: async () => onChoose(),
    onError: (error) => showToast(messageOf(error)),
  });
  return (
    <button
      type="button"
      className={styles.choose}
      aria-label={texts.stories.useVersionOf(name)}
      disabled={isPending}
      onClick={() => mutate()}
    >
      {texts.stories.useVersion}
    </button>
  );
}

/** Stops an image that is made again: a job of its own. */
function CancelAgain(props: { readonly image: StoryImage; readonly onChanged: () => void }) {
  const { image, onChanged } = props;
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: () => call("DELETE /v1/jobs/{id}", { id: image.jobId }),
    onError: (error) => showToast(messageOf(error)),
    onSettled: onChanged,
  });
  return (
    <button
      type="button"
      aria-label={texts.stories.cancelName(image.name)}
      disabled={isPending || isSuccess}
      onClick={() => mutate()}
    >
      {texts.common.cancel}
    </button>
  );
}

function Content({
  image,
  onExpired,
}: {
  readonly image: StoryImage;
  readonly onExpired: () => void;
}) {
  const { status, source, hash, problem } = image;
  const isLost = useLostSince() !== null;
  const url =
    image.role === "scene" ? (image.url ?? image.thumbnailUrl) : (image.thumbnailUrl ?? image.url);
  if (url !== undefined) {
    return <StoryPicture url={url} alt={image.text} onExpired={onExpired} />;
  }
  if (status === "supplied" && source !== null) return <SourcePicture source={source} />;
  if (status === "completed" || status === "supplied") {
    return (
      <span className={styles.blank}>
        <Icon name="image" size={22} />
        {texts.stories.notKept}
        {hash !== undefined && (
          <code title={hash}>{texts.stories.shortHash(hash.slice(0, 12))}</code>
        )}
      </span>
    );
  }
  return (
    <span className={styles.blank}>
      {status === "failed" && <Icon name="alert" size={22} />}
      {isLost && isRunning(status) ? texts.shell.noConnection : texts.stories.imageStates[status]}
      {problem !== undefined && <small>{problem}</small>}
    </span>
  );
}
