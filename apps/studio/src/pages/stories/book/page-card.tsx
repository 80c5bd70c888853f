import { useMutation } from "@tanstack/react-query";
import type { KeyboardEvent } from "react";
import { messageOf } from "../../../api.ts";
import { language } from "../../../language.ts";
import { texts } from "../../../texts/book.ts";
import { Icon, type IconName } from "../../../ui/icons.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { showVersion } from "../queries.ts";
import type { StoryImage } from "../story-cards.ts";
import { StoryPicture } from "../story-picture.tsx";
import { limits } from "./book.ts";
import styles from "./book.module.css";

/** A page as it is saved, with its text in a field, and what can be done with it above. */
export function PageCard(props: {
  readonly number: number;
  readonly text: string;
  /** The version that the story shows. */
  readonly image: StoryImage | undefined;
  /** The versions of the scene that have an image. */
  readonly versions: readonly StoryImage[];
  readonly storyId: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onText: (text: string) => void;
  readonly onMove: (step: -1 | 1) => void;
  readonly onLeaveOut: () => void;
  readonly onExpired: () => void;
}) {
  const { number, text, image, versions, storyId, isFirst, isLast } = props;
  const { onText, onMove, onLeaveOut, onExpired } = props;
  const name = texts.book.pageOf(number);
  const choosing = useMutation({
    mutationFn: (jobId: string) => showVersion(storyId, image?.scene ?? 0, jobId),
    onError: (error) => showToast(messageOf(error)),
  });
  function onKeyDown(event: KeyboardEvent): void {
    const step = ({ ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 } as const)[event.key];
    // Alt and an arrow open a list of options.
    if (!event.altKey || step === undefined || event.target instanceof HTMLSelectElement) return;
    event.preventDefault();
    onMove(step);
  }
  return (
    // Alt and an arrow move the page from its text; its buttons do the same.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li onKeyDown={onKeyDown}>
      <div className={styles.name} lang={language}>
        <span>{name}</span>
        {versions.length > 1 && (
          <select
            aria-label={texts.book.pictureOf(number)}
            value={image?.jobId}
            disabled={choosing.isPending}
            onChange={({ target }) => choosing.mutate(target.value)}
          >
            {versions.map(({ jobId, version }) => (
              <option key={jobId} value={jobId}>
                {texts.book.version(version)}
              </option>
            ))}
          </select>
        )}
        <PageButton
          icon="left"
          name={texts.book.earlier(name)}
          isDisabled={isFirst}
          onClick={() => onMove(-1)}
        />
        <PageButton
          icon="right"
          name={texts.book.later(name)}
          isDisabled={isLast}
          onClick={() => onMove(1)}
        />
        <PageButton icon="trash" name={texts.book.leaveOut(name)} onClick={onLeaveOut} />
      </div>
      <div className={styles.paper}>
        {image?.url === undefined ? (
          <p className={styles.blank} lang={language}>
            {image === undefined || image.status === "completed" || image.status === "supplied"
              ? texts.stories.notKept
              : texts.stories.imageStates[image.status]}
          </p>
        ) : (
          <StoryPicture url={image.url} alt={image.text} onExpired={onExpired} />
        )}
        <textarea
          dir="auto"
          aria-label={texts.book.textOf(number)}
          rows={1}
          value={text}
          maxLength={limits.text}
          onChange={({ target }) => onText(target.value)}
        />
      </div>
    </li>
  );
}

function PageButton(props: {
  readonly icon: IconName;
  readonly name: string;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
}) {
  const { icon, name, isDisabled = false, onClick } = props;
  return (
    <button type="button" aria-label={name} title={name} disabled={isDisabled} onClick={onClick}>
      <Icon name={icon} size={16} />
    </button>
  );
}
