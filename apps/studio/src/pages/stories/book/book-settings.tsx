import { texts } from "../../../texts/book.ts";
import { Checks } from "../../../ui/checks.tsx";
import { Field } from "../../../ui/field.tsx";
import styles from "./book.module.css";
import { bookFonts, layouts, textPages, textSizes, type Book } from "./book.ts";
import { fonts } from "./fonts.ts";
import { languages } from "./languages.ts";
import { mm } from "./page-layout.ts";

/** How a book looks, and which pages it has beside those of its scenes. */
export function BookSettings(props: {
  readonly book: Book;
  /** The scenes whose picture can be on the cover, by the names of their pages. */
  readonly covers: readonly { readonly scene: number; readonly name: string }[];
  /** Whether the story has characters. */
  readonly hasCast: boolean;
  readonly onChange: (book: Book) => void;
}) {
  const { book, covers, hasCast, onChange } = props;
  const change = (part: Partial<Book>) => onChange({ ...book, ...part });
  const named = <Value extends string>(
    values: readonly Value[],
    names: Readonly<Record<Value, string>>,
  ) => values.map((value) => ({ value, name: names[value] }));
  const pages = [...textPages, ...(hasCast ? (["cast"] as const) : [])];
  const shown = [
    ...textPages.filter((page) => book[page] !== null),
    ...(book.castPage ? (["cast"] as const) : []),
  ];
  return (
    <>
      <div className={styles.settings}>
        <Choice
          label={texts.book.coverPicture}
          value={book.cover === null ? "" : String(book.cover)}
          options={[
            { value: "", name: texts.book.noPicture },
            ...covers.map(({ scene, name }) => ({ value: String(scene), name })),
          ]}
          onChange={(value) => change({ cover: value === "" ? null : Number(value) })}
        />
        <Choice
          label={texts.book.layout}
          value={book.layout}
          options={named(layouts, texts.book.layouts)}
          onChange={(layout) => change({ layout })}
        />
        <Choice
          label={texts.book.font}
          value={book.font}
          options={bookFonts.map((value) => ({ value, name: fonts[value].family }))}
          onChange={(font) => change({ font })}
        />
        <Choice
          label={texts.book.textSize}
          value={book.textSize}
          options={named(textSizes, texts.book.textSizes)}
          onChange={(textSize) => change({ textSize })}
        />
        <Choice
          label={texts.book.language}
          value={book.language}
          options={languages.map(({ code, name }) => ({ value: code, name, lang: code }))}
          onChange={(language) => change({ language })}
        />
      </div>
      <div className={styles.morePages}>
        <Checks
          label={texts.book.morePages}
          options={pages.map((value) => ({ value, name: texts.book.pageNames[value] }))}
          values={shown}
          onChange={(values) => {
            const texted = textPages.map((page) => [
              page,
              values.includes(page) ? (book[page] ?? "") : null,
            ]);
            change({ ...Object.fromEntries(texted), castPage: values.includes("cast") });
          }}
        />
        <p className="num">{texts.book.pageSize(mm.width, mm.height)}</p>
      </div>
    </>
  );
}

function Choice<Value extends string>(props: {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly {
    readonly value: Value;
    readonly name: string;
    readonly lang?: string;
  }[];
  readonly onChange: (value: Value) => void;
}) {
  const { label, value, options, onChange } = props;
  return (
    <Field label={label}>
      {(control) => (
        <select
          {...control}
          value={value}
          onChange={({ target }) => {
            const option = options.find((one) => one.value === target.value);
            if (option !== undefined) onChange(option.value);
          }}
        >
          {options.map((one) => (
            <option key={one.value} value={one.value} lang={one.lang}>
              {one.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
