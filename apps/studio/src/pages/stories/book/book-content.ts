import type { Job } from "@atelier/schemas";
import { send } from "../../../api.ts";
import type { StoryImage } from "../story-cards.ts";
import { limits, type Book, type BookFont, type BookLayout, type TextSize } from "./book.ts";
import { fonts } from "./fonts.ts";
import { castTitleOf } from "./languages.ts";

/** A picture of a book: the bytes of the JPEG file of the service, with its marks. */
export interface BookPicture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The text in place of the picture. */
  readonly description: string;
}

/** Everything that a file of a book contains. */
export interface BookContent {
  readonly title: string;
  readonly language: string;
  readonly layout: BookLayout;
  readonly textSize: TextSize;
  readonly cover: BookPicture | null;
  readonly pages: readonly { readonly text: string; readonly picture: BookPicture | null }[];
  /** Empty without a page for it. */
  readonly dedication: string;
  /** Empty without a page for it. */
  readonly author: string;
  /** The heading and the characters of their page; without characters there is no page. */
  readonly cast: { readonly title: string; readonly members: readonly CastMember[] };
  /** The paragraphs of the last page. */
  readonly imprint: readonly string[];
  /** A TrueType font. */
  readonly font: { readonly family: string; readonly bytes: Uint8Array<ArrayBuffer> };
}

/** A character with its portrait, as far as that was made by the story and is kept. */
interface CastMember {
  readonly name: string;
  readonly picture: BookPicture | null;
}

/** The images of a story arrive as one file, which the service builds while it sends. */
const readMs = 120_000;

/**
 * Reads the pictures that the story shows and the font. The pictures come through the service, because
 * pages must not read the storage, which may be of another origin.
 *
 * @param parts the paragraphs of the last page, what the pictures show by position of the scene from 1, and the
 *   characters in the order of the story.
 * @throws ApiError when the pictures cannot be read, or are not kept any more.
 */
export async function readContent(
  job: Job,
  book: Book,
  parts: {
    readonly imprint: readonly string[];
    readonly descriptions: ReadonlyMap<number, string>;
    readonly portraits: readonly Pick<StoryImage, "name" | "text">[];
  },
): Promise<BookContent> {
  const { imprint, descriptions, portraits } = parts;
  const [pictures, font] = await Promise.all([readPictures(job.id), readFont(book.font)]);
  const pictureOf = (scene: number | null): BookPicture | null => {
    const bytes = pictures.get(`scene-${scene}.jpg`);
    if (scene === null || bytes === undefined) return null;
    return { bytes, description: descriptions.get(scene) ?? "" };
  };
  const drawn = (job.renders ?? []).filter(({ role }) => role === "portrait");
  const memberOf = ({ name, text }: (typeof portraits)[number]): CastMember => {
    const number = drawn.findIndex((render) => render.name === name) + 1;
    const bytes = pictures.get(`portrait-${number}.jpg`);
    return { name, picture: bytes === undefined ? null : { bytes, description: text } };
  };
  const cut = (text: string | null) => (text ?? "").slice(0, limits.text).trim();
  return {
    title: book.title.slice(0, limits.title),
    language: book.language,
    layout: book.layout,
    textSize: book.textSize,
    cover: pictureOf(book.cover),
    // Books of other clients can have longer texts, which would not fit on their pages.
    pages: book.pages.map(({ scene, text }) => ({
      text: text.slice(0, limits.text),
      picture: pictureOf(scene),
    })),
    dedication: cut(book.dedication),
    author: cut(book.author),
    cast: {
      title: castTitleOf(book.language),
      members: book.castPage ? portraits.map(memberOf) : [],
    },
    imprint,
    font: { family: fonts[book.font].family, bytes: font },
  };
}

/** The JPEG files of the scenes and portraits, by their names in the archive. */
async function readPictures(storyId: string): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const { unzipSync } = await import("fflate");
  const path = `/studio/stories/${storyId}/archive?format=jpeg`;
  const archive = await send("GET", path, { timeoutMs: readMs });
  const files = unzipSync(new Uint8Array(await archive.arrayBuffer()), {
    filter: ({ name }) => /^(scene|portrait)-/.test(name),
  });
  return new Map(Object.entries(files).map(([name, bytes]) => [name, Uint8Array.from(bytes)]));
}

/** Reads a font of books. */
export async function readFont(font: BookFont): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await send("GET", fonts[font].url)).arrayBuffer());
}
