import type { Job, ListedJob } from "@atelier/schemas";
import { useQuery } from "@tanstack/react-query";
import { useState, type CSSProperties } from "react";
import { modelNamesQuery } from "../../../data/queries.ts";
import { language } from "../../../language.ts";
import { texts } from "../../../texts/book.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { mayChange } from "../../../session.ts";
import { moveItem } from "../builder/draft.ts";
import { useCast } from "../cast/use-cast.ts";
import type { ShownScenes } from "../queries.ts";
import { shownImages, type StoryImage } from "../story-cards.ts";
import pageStyles from "../story-page.module.css";
import { StoryPicture } from "../story-picture.tsx";
import styles from "./book.module.css";
import { BookSettings } from "./book-settings.tsx";
import { changeText, leaveOut, limits, numberPages, putBack, textScales } from "./book.ts";
import { imprintOf } from "./languages.ts";
import { CastPageCard, TextPageCard } from "./more-pages.tsx";
import { PageCard } from "./page-card.tsx";
import { SaveButtons } from "./save-buttons.tsx";
import { SaveState } from "./save-state.tsx";
import { useBook } from "./use-book.ts";
import { useFreshBook } from "./use-fresh-book.ts";

/** The cover, a page for each scene and the last page, as they are saved. */
export function BookEditor(props: {
  readonly job: Job;
  readonly scenes: readonly StoryImage[];
  readonly shown: ShownScenes | undefined;
  /** The jobs that added scenes or made images again. */
  readonly again: readonly ListedJob[];
  readonly onExpired: () => void;
}) {
  const { job, scenes, shown, again, onExpired } = props;
  const images = shownImages(scenes, shown);
  const fresh = useFreshBook(job, scenes);
  const { book, change, saveState, flush } = useBook(job, fresh);
  const [announcement, setAnnouncement] = useState("");
  const { pages } = book;
  const imageOf = (scene: number | null) => images.find((image) => image.scene === scene);
  const cover = imageOf(book.cover);
  const { cast } = useCast(job, again, book.cast);
  const portraits = cast.shown.filter(({ role }) => role === "portrait");
  const { first, count } = numberPages(book, portraits.length > 0);
  const leftOut = fresh.pages.filter(({ scene }) => book.leftOut.includes(scene));

  function move(from: number, to: number): void {
    const page = pages[from];
    if (page === undefined || to < 0 || to >= pages.length) return;
    change({ ...book, pages: moveItem(pages, from, to) });
    setAnnouncement(texts.book.moved(page.scene, to + first, count));
  }
  const descriptions = new Map(images.map(({ scene, text }) => [scene ?? 0, text]));
  const { data: modelNames } = useQuery(modelNamesQuery);
  const imprint = imprintOf(book.language, {
    model: modelNames?.get(job.model) ?? job.model,
    verifyUrl: new URL("/verify", location.href).href,
  });
  return (
    // What was typed is saved when the field is left.
    <div className={styles.editor} onBlur={flush}>
      <header className={styles.tools}>
        <div>
          <h1 className={pageStyles.heading}>{texts.pages.book}</h1>
          <p>
            {texts.book.hint} {saveState.state?.kind !== "failed" && texts.book.hintSaved}
          </p>
        </div>
        <SaveButtons {...{ job, book, scenes, shown, again, descriptions, portraits, imprint }} />
      </header>
      <SaveState {...saveState} />
      {/* A maker reads and prints the books of others. */}
      <fieldset className={styles.fields} disabled={!mayChange(job)}>
        <BookSettings
          book={book}
          covers={[
            ...pages.map(({ scene }, index) => ({ scene, name: texts.book.pageOf(index + first) })),
            ...leftOut.map(({ scene }) => ({ scene, name: texts.book.leftOutScene(scene) })),
          ]}
          hasCast={portraits.length > 0}
          onChange={change}
        />
        <p className="sr" role="status">
          {announcement}
        </p>
        <ol
          className={styles.book}
          lang={book.language}
          data-layout={book.layout}
          data-font={book.font}
          style={{ "--text-scale": textScales[book.textSize] } as CSSProperties}
        >
          <li>
            <p className={styles.name} lang={language}>
              {texts.book.cover}
            </p>
            <div className={`${styles.paper} ${styles.cover}`}>
              {cover?.url !== undefined && (
                <StoryPicture url={cover.url} alt={cover.text} onExpired={onExpired} />
              )}
              <textarea
                dir="auto"
                className={styles.title}
                aria-label={texts.book.titleOf}
                rows={1}
                value={book.title}
                maxLength={limits.title}
                onChange={({ target }) =>
                  change({ ...book, title: target.value.replaceAll("\n", " ") })
                }
              />
            </div>
          </li>
          <TextPageCard page="dedication" book={book} onChange={change} />
          <CastPageCard {...{ book, portraits, onExpired }} />
          {pages.map((page, index) => (
            <PageCard
              key={page.scene}
              number={index + first}
              text={page.text}
              image={imageOf(page.scene)}
              versions={scenes.filter((one) => one.scene === page.scene && one.url !== undefined)}
              storyId={job.id}
              isFirst={index === 0}
              isLast={index === pages.length - 1}
              onText={(text) => change(changeText(book, page.scene, text))}
              onMove={(step) => move(index, index + step)}
              onLeaveOut={() => change(leaveOut(book, page.scene))}
              onExpired={onExpired}
            />
          ))}
          <TextPageCard page="author" book={book} onChange={change} />
          <li>
            <p className={styles.name} lang={language}>
              {texts.book.imprint}
            </p>
            <div className={`${styles.paper} ${styles.imprint}`}>
              {imprint.map((line) => (
                <p key={line}>{line}</p>
              ))}
            </div>
          </li>
        </ol>
        {leftOut.length > 0 && (
          <section className={styles.leftOut} aria-labelledby="left-out">
            <h2 id="left-out">{texts.book.leftOut}</h2>
            {leftOut.map((page) => (
              <Button key={page.scene} onClick={() => change(putBack(book, page))}>
                <Icon name="plus" size={16} /> {texts.book.putBack(page.scene)}
              </Button>
            ))}
          </section>
        )}
      </fieldset>
    </div>
  );
}
