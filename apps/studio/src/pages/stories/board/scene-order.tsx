import type { Job } from "@atelier/schemas";
import { useLayoutEffect, useRef, useState, type CSSProperties, type ReactNode } from "react";
import { texts } from "../../../texts/stories.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { leaveOut, putBack, type Book } from "../book/book.ts";
import { moveItem } from "../builder/draft.ts";
import { CardButton } from "../part-card.tsx";
import { columnOf, nextNumber, type StoryImage } from "../story-cards.ts";
import { useFocusKeeper } from "../use-focus-keeper.ts";
import styles from "./board.module.css";

/** Scenes that a story can show, of several requests. */
const mostScenes = 24;

/** The scenes of a story; once it is completed, in the order of its book, which can be changed, with a way to add one. */
export function SceneOrder(props: {
  readonly job: Job;
  readonly scenes: readonly StoryImage[];
  readonly book: Book;
  /** The book before its first change. */
  readonly fresh: Book;
  /** Changes the book; null until all scenes are read, or while the story is not completed. */
  readonly onChange: ((book: Book) => void) | null;
  /** Renders an image with the buttons that move and remove its scene. */
  readonly children: (image: StoryImage, order: ReactNode) => ReactNode;
  /** Adds a scene with a number after another one. */
  readonly onAdd: (after: StoryImage, number: number) => void;
}) {
  const { job, scenes, book, fresh, children, onChange, onAdd } = props;
  const [announcement, setAnnouncement] = useState("");
  const { pages } = book;
  const keepFocus = useFocusKeeper(pages);
  // Scenes that were not made have no page, but say why.
  const unmade = scenes.filter(
    ({ scene = 0 }) =>
      fresh.pages.every((page) => page.scene !== scene) && !book.leftOut.includes(scene),
  );
  const isCompleted = job.status === "completed";
  const inOrder = [
    ...pages.flatMap(({ scene }) => scenes.filter((image) => image.scene === scene)),
    ...unmade,
  ];
  const ordered = isCompleted ? inOrder : scenes;
  const last = ordered.at(-1) ?? scenes.at(-1);
  const leftOut = fresh.pages.filter(({ scene }) => book.leftOut.includes(scene));

  function move(from: number, to: number): void {
    if (to < 0 || to >= pages.length) return;
    keepFocus();
    onChange?.({ ...book, pages: moveItem(pages, from, to) });
    setAnnouncement(texts.stories.movedTo(pages[from]?.scene ?? 0, to + 1, pages.length));
  }
  const list = useRef<HTMLElement>(null);
  /** The scene that gets the focus when the list has changed: the button that had it is gone. */
  const next = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    if (next.current === undefined) return;
    const scene = list.current?.querySelector(`[data-scene="${next.current}"]`);
    next.current = undefined;
    (scene?.querySelector("button") ?? list.current)?.focus();
  }, [pages]);
  function remove(scene: number): void {
    const at = pages.findIndex((page) => page.scene === scene);
    // No scene has the number 0: then the list gets the focus.
    next.current = (pages[at + 1] ?? pages[at - 1])?.scene ?? 0;
    onChange?.(leaveOut(book, scene));
    setAnnouncement(texts.stories.sceneRemoved(scene));
  }
  function restore(page: Book["pages"][number]): void {
    next.current = page.scene;
    onChange?.(putBack(book, page));
    setAnnouncement(texts.stories.scenePutBack(page.scene, pages.length + 1));
  }
  function orderOf(image: StoryImage): ReactNode {
    if (image.version > 1 || onChange === null) return null;
    const at = pages.findIndex(({ scene }) => scene === image.scene);
    const { name, scene = 0 } = image;
    if (at < 0) return null;
    return (
      <>
        <CardButton
          icon="left"
          name={texts.stories.moveEarlier(name)}
          isDisabled={at === 0}
          onClick={() => move(at, at - 1)}
        />
        <CardButton
          icon="right"
          name={texts.stories.moveLater(name)}
          isDisabled={at === pages.length - 1}
          onClick={() => move(at, at + 1)}
        />
        <CardButton
          icon="trash"
          name={texts.stories.removeScene(name)}
          onClick={() => remove(scene)}
        />
      </>
    );
  }
  return (
    <section ref={list} tabIndex={-1} aria-labelledby="scenes">
      <h2 id="scenes">
        {texts.stories.scenes}{" "}
        {onChange !== null && (
          <small className="num">{texts.stories.of(pages.length, mostScenes)}</small>
        )}
      </h2>
      <p className="sr" role="status">
        {announcement}
      </p>
      <ol className={styles.large} style={{ "--column": columnOf(ordered) } as CSSProperties}>
        {ordered.map((image) => (
          <li
            key={image.id}
            data-scene={image.scene}
            style={{ "--ratio": image.ratio } as CSSProperties}
          >
            {children(image, orderOf(image))}
          </li>
        ))}
      </ol>
      {onChange !== null && leftOut.length > 0 && (
        <div className={styles.removed} role="group" aria-label={texts.stories.removedScenes}>
          <span>{texts.stories.removedScenes}</span>
          {leftOut.map((page) => (
            <Button key={page.scene} onClick={() => restore(page)}>
              <Icon name="undo" size={16} /> {texts.stories.putBack(page.scene)}
            </Button>
          ))}
        </div>
      )}
      {onChange !== null && last !== undefined && (
        <div className={styles.addScene}>
          <Button
            disabled={pages.length >= mostScenes}
            onClick={() => onAdd(last, nextNumber(scenes, job.book))}
          >
            <Icon name="plus" size={16} /> {texts.stories.addScene}
          </Button>
          <p>{texts.stories.addedLater(mostScenes)}</p>
        </div>
      )}
    </section>
  );
}
