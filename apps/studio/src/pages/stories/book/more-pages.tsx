import { language } from "../../../language.ts";
import { texts } from "../../../texts/book.ts";
import type { StoryImage } from "../story-cards.ts";
import { StoryPicture } from "../story-picture.tsx";
import { limits, type Book, type TextPage } from "./book.ts";
import styles from "./book.module.css";
import { castTitleOf } from "./languages.ts";

/** A page that only has a text, if the book has it. It is in the files once it has a text. */
export function TextPageCard(props: {
  readonly page: TextPage;
  readonly book: Book;
  readonly onChange: (book: Book) => void;
}) {
  const { page, book, onChange } = props;
  const text = book[page];
  const name = texts.book.pageNames[page];
  if (text === null) return null;
  return (
    <li>
      <p className={styles.name} lang={language}>
        {name}
      </p>
      <div className={styles.paper}>
        <textarea
          dir="auto"
          aria-label={name}
          rows={1}
          value={text}
          maxLength={limits.text}
          onChange={({ target }) => onChange({ ...book, [page]: target.value })}
        />
      </div>
    </li>
  );
}

/** The page with the characters. */
export function CastPageCard(props: {
  readonly book: Book;
  readonly portraits: readonly StoryImage[];
  readonly onExpired: () => void;
}) {
  const { book, portraits, onExpired } = props;
  if (!book.castPage || portraits.length === 0) return null;
  return (
    <li>
      <p className={styles.name} lang={language}>
        {texts.book.pageNames.cast}
      </p>
      <div className={`${styles.paper} ${styles.castPage}`}>
        <p className={styles.castTitle}>{castTitleOf(book.language)}</p>
        <ul>
          {portraits.map(({ id, name, text, url }) => (
            <li key={id}>
              {url !== undefined && <StoryPicture url={url} alt={text} onExpired={onExpired} />}
              <span dir="auto">{name}</span>
            </li>
          ))}
        </ul>
      </div>
    </li>
  );
}
