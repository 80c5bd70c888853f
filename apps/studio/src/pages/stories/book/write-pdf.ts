import { PDFDocument, type PdfImage } from "pdfkit";
import { toBlob } from "pdfkit/output";
import type { BookContent, BookPicture } from "./book-content.ts";
import type { Book } from "./book.ts";
import { mm, placePage, ppiAt, type Measure, type Page, type Pixels } from "./page-layout.ts";

const millimetre = 72 / 25.4;
/** Between lines of a text, in points. */
const lineGap = 3;

/** Sizes of the texts in points. */
const textSizes = [17, 15, 13, 11, 9];
const titleSizes = [40, 34, 28, 22, 17];
const imprintSizes = [10];

const ink = "#1d1a16";
const panelFill = { colour: "#fffdf9", opacity: 0.88 };

/** A page with its picture, of which resolutions need only the size. */
interface PageOf<Picture> extends Pick<Page, "text" | "sizes" | "layout"> {
  readonly picture: Picture | null;
  readonly tag: "H1" | "P";
}

/** The pages of a book in reading order, with the styles of their texts. */
function pagesOf<Picture>({
  title,
  layout,
  cover,
  pages,
  imprint,
}: Pick<BookContent, "title" | "layout" | "imprint"> & {
  readonly cover: Picture | null;
  readonly pages: readonly { readonly text: string; readonly picture: Picture | null }[];
}): readonly PageOf<Picture>[] {
  // A title beside its picture would be too narrow.
  const ofCover = layout === "over" ? "over" : "below";
  return [
    { picture: cover, text: title, tag: "H1", sizes: titleSizes, layout: ofCover },
    ...pages.map(({ picture, text }) => ({
      picture,
      text: text.trim(),
      tag: "P" as const,
      sizes: textSizes,
      layout,
    })),
    { picture: null, text: imprint.join("\n\n"), tag: "P", sizes: imprintSizes, layout },
  ];
}

const measureIn =
  (pdf: PDFDocument): Measure =>
  (text, size, width) =>
    pdf.fontSize(size).heightOfString(text, { width: width * millimetre, lineGap }) / millimetre;

/**
 * The resolution of each picture of a book in print, in pixels per inch: the lowest of its pages, by the number of
 * its scene.
 *
 * @param pixels the sizes of the pictures by the numbers of their scenes.
 */
export function measurePpi(
  { title, layout, cover, pages }: Pick<Book, "title" | "layout" | "cover" | "pages">,
  pixels: ReadonlyMap<number, Pixels>,
  font: Uint8Array,
): ReadonlyMap<number, number> {
  const measure = measureIn(new PDFDocument({ size: [1, 1], margin: 0, font }));
  const pictureOf = (scene: number | null) => {
    const size = pixels.get(scene ?? 0);
    return scene === null || size === undefined ? null : { ...size, scene };
  };
  const all = pagesOf({
    title,
    layout,
    cover: pictureOf(cover),
    pages: pages.map(({ scene, text }) => ({ text, picture: pictureOf(scene) })),
    imprint: [],
  });
  const lowest = new Map<number, number>();
  for (const page of all) {
    const { picture: place } = placePage(page, measure, mm.bleed);
    if (page.picture === null || place === null) continue;
    const { scene } = page.picture;
    lowest.set(scene, Math.min(lowest.get(scene) ?? Infinity, ppiAt(page.picture, place)));
  }
  return lowest;
}

/** Escapes the texts of the metadata, which PDFKit writes into XML as they are. */
class BookDocument extends PDFDocument {
  override endMetadata(): void {
    const { info } = this;
    const escape = (text: string) =>
      text.replaceAll(/[&<>]/g, (sign) => `&#${sign.codePointAt(0)};`);
    this.info = Object.fromEntries(
      Object.entries(info).map(([name, value]) => [
        name,
        typeof value === "string" ? escape(value) : value,
      ]),
    );
    super.endMetadata();
    this.info = info;
  }
}

/**
 * Writes a book as a tagged PDF (PDF/A-2a), with its font embedded and sRGB as its output intent. The JPEG files of
 * the pictures are embedded unchanged, with their marks.
 *
 * @param bleedMm what the pages have beyond their edges, in millimetres: 0 for the screen.
 */
export function writePdf(
  content: BookContent,
  { bleedMm }: { readonly bleedMm: number },
): Promise<Blob> {
  const { title, language, font } = content;
  const bleed = bleedMm * millimetre;
  const width = mm.width * millimetre;
  const height = mm.height * millimetre;
  const sheet = [width + 2 * bleed, height + 2 * bleed] as const;
  const pdf = new BookDocument({
    size: sheet,
    margin: bleed + mm.margin * millimetre,
    font,
    lang: language,
    tagged: true,
    // Adds the profile of sRGB, in which the images of the service are, as the output intent (ISO 32000-1, 14.11.5).
    subset: "PDF/A-2a",
    displayTitle: true,
    pdfVersion: "1.7",
    autoFirstPage: false,
    info: { Title: title, Creator: "Atelier Studio", Subject: content.imprint.join(" ") },
  });
  // Where the print shop cuts (ISO 32000-1, 14.11.2).
  pdf.on("pageAdded", () => {
    if (bleed === 0) return;
    pdf.page.dictionary.data["BleedBox"] = [0, 0, ...sheet];
    pdf.page.dictionary.data["TrimBox"] = [bleed, bleed, bleed + width, bleed + height];
  });
  const written = toBlob(pdf);
  const book = pdf.struct("Document");
  pdf.addStructure(book);
  /** A file that is on several pages is embedded once. */
  const opened = new Map<Uint8Array, PdfImage>();
  function open(picture: BookPicture): PdfImage {
    const image = opened.get(picture.bytes) ?? pdf.openImage(picture.bytes);
    opened.set(picture.bytes, image);
    return image;
  }

  function addPage(page: PageOf<BookPicture>): void {
    const { picture, text, tag } = page;
    pdf.addPage();
    const image = picture === null ? null : open(picture);
    const placed = placePage({ ...page, picture: image }, measureIn(pdf), bleedMm);
    if (picture !== null && image !== null && placed.picture !== null) {
      const [x, y, ...size] = inPoints(placed.picture);
      const [imageWidth, imageHeight] = size;
      const draw = () => {
        // The file is not cut: what is beyond the sheet is not shown.
        pdf
          .save()
          .rect(0, 0, ...sheet)
          .clip();
        pdf.image(image, x, y, { width: imageWidth, height: imageHeight });
        pdf.restore();
      };
      book.add(pdf.struct("Figure", { alt: picture.description }, draw));
    }
    if (placed.panel !== null) {
      // Screen readers skip what only makes the text readable.
      pdf.markContent("Artifact");
      pdf.save().rect(...inPoints(placed.panel));
      pdf.fillColor(panelFill.colour, panelFill.opacity).fill().restore();
      pdf.endMarkedContent();
    }
    if (placed.text !== null) {
      const { size, align } = placed.text;
      const [x, y, textWidth] = inPoints(placed.text);
      pdf.fontSize(size).fillColor(ink, 1);
      const write = () => pdf.text(text, x, y, { width: textWidth, align, lineGap });
      book.add(pdf.struct(tag, {}, write));
    }
  }

  for (const page of pagesOf(content)) addPage(page);
  book.end();
  pdf.end();
  return written;
}

const inPoints = ({ x, y, width, height }: Pixels & { readonly x: number; readonly y: number }) =>
  [x * millimetre, y * millimetre, width * millimetre, height * millimetre] as const;
