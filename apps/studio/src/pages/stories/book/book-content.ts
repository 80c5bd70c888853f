import type { Job } from "@atelier/schemas";
import { send } from "../../../api.ts";
import { limits, type Book, type BookLayout } from "./book.ts";
import fontUrl from "@expo-google-fonts/literata/400Regular/Literata_400Regular.ttf?url";
import { imprintOf } from "./languages.ts";

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
  readonly cover: BookPicture | null;
  readonly pages: readonly { readonly text: string; readonly picture: BookPicture | null }[];
  /** The paragraphs of the last page. */
  readonly imprint: readonly string[];
  /** A TrueType font with the letters of all languages of books. */
  readonly font: Uint8Array<ArrayBuffer>;
}

/** The images of a story arrive as one file, which the service builds while it sends. */
const readMs = 120_000;

/**
 * Reads the pictures that the story shows and the font. The pictures come through the service, because
 * pages must not read the storage, which may be of another origin.
 *
 * @param descriptions what the pictures show, by position of the scene from 1.
 * @throws ApiError when the pictures cannot be read, or are not kept any more.
 */
export async function readContent(
  job: Job,
  book: Book,
  descriptions: ReadonlyMap<number, string>,
): Promise<BookContent> {
  const [pictures, font] = await Promise.all([readPictures(job.id), readFont()]);
  const pictureOf = (scene: number | null): BookPicture | null => {
    const bytes = pictures.get(`scene-${scene}.jpg`);
    if (scene === null || bytes === undefined) return null;
    return { bytes, description: descriptions.get(scene) ?? "" };
  };
  return {
    title: book.title.slice(0, limits.title),
    language: book.language,
    layout: book.layout,
    cover: pictureOf(book.cover),
    // Books of other clients can have longer texts, which would not fit on their pages.
    pages: book.pages.map(({ scene, text }) => ({
      text: text.slice(0, limits.text),
      picture: pictureOf(scene),
    })),
    imprint: imprintOf(book.language, {
      model: job.model,
      verifyUrl: new URL("/verify", location.href).href,
    }),
    font,
  };
}

/** The JPEG files of the scenes, by their names in the archive. */
async function readPictures(storyId: string): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const { unzipSync } = await import("fflate");
  const path = `/studio/stories/${storyId}/archive?format=jpeg`;
  const archive = await send("GET", path, { timeoutMs: readMs });
  const files = unzipSync(new Uint8Array(await archive.arrayBuffer()), {
    filter: ({ name }) => name.startsWith("scene-"),
  });
  return new Map(Object.entries(files).map(([name, bytes]) => [name, Uint8Array.from(bytes)]));
}

/** Reads the font of books. */
export async function readFont(): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await send("GET", fontUrl)).arrayBuffer());
}
