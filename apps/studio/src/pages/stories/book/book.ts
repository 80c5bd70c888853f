import { isLanguage, type BookLanguage } from "./languages.ts";

/** A page of a book: the picture of a scene with a text below it. */
interface BookPage {
  /** Position of the scene in the story, from 1. */
  readonly scene: number;
  readonly text: string;
}

/** A finished story as a book. The picture of a page is the version that the story shows. */
export interface Book {
  readonly title: string;
  /** The language of its texts. */
  readonly language: BookLanguage;
  /** The scene whose picture is on the cover; null for a cover without a picture. */
  readonly cover: number | null;
  /** In reading order. Scenes without a page are left out. */
  readonly pages: readonly BookPage[];
}

/** Longest texts, in characters. */
export const limits = { title: 120, text: 1_000 };

/** The book of a story before its first change. */
export function newBook(story: {
  readonly title: string;
  readonly language: BookLanguage;
  /** The texts of its scenes, in order. */
  readonly scenes: readonly string[];
}): Book {
  const { title, language, scenes } = story;
  return {
    title: title.slice(0, limits.title),
    language,
    cover: scenes.length === 0 ? null : 1,
    pages: scenes.map((text, index) => ({ scene: index + 1, text: text.slice(0, limits.text) })),
  };
}

/**
 * Reads a book that was kept, which another version may have written.
 *
 * @param fresh takes the place of what is missing; its pages are the scenes of the story.
 */
export function readBook(kept: unknown, fresh: Book): Book {
  if (typeof kept !== "object" || kept === null) return fresh;
  const { title, language, cover, pages } = kept as Readonly<Record<string, unknown>>;
  const isScene = (scene: unknown) => fresh.pages.some((page) => page.scene === scene);
  const read = Array.isArray(pages) ? pages.flatMap((page) => readPage(page)) : fresh.pages;
  return {
    title: typeof title === "string" ? title.slice(0, limits.title) : fresh.title,
    language: isLanguage(language) ? language : fresh.language,
    cover: cover === null || isScene(cover) ? (cover as number | null) : fresh.cover,
    pages: read.filter(
      ({ scene }, index) =>
        isScene(scene) && read.findIndex((page) => page.scene === scene) === index,
    ),
  };
}

function readPage(page: unknown): BookPage[] {
  if (typeof page !== "object" || page === null) return [];
  const { scene, text } = page as Readonly<Record<string, unknown>>;
  if (typeof scene !== "number" || typeof text !== "string") return [];
  return [{ scene, text: text.slice(0, limits.text) }];
}

/** The book with another text on the page of a scene. */
export function changeText(book: Book, scene: number, text: string): Book {
  return {
    ...book,
    pages: book.pages.map((page) => (page.scene === scene ? { ...page, text } : page)),
  };
}
