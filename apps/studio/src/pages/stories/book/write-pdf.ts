import { PDFDocument, type PdfImage } from "pdfkit";
import { toBlob } from "pdfkit/output";
import type { BookContent, BookPicture } from "./book-content.ts";
import type { Book, TextSize } from "./book.ts";
import {
  mm,
  placeCast,
  placePage,
  ppiAt,
  type Measure,
  type Page,
  type Pixels,
  type Place,
} from "./page-layout.ts";

const millimetre = 72 / 25.4;
/** Between lines of a text, in points. */
const lineGap = 3;

/** Sizes of the texts in points. */
const sizes = {
  title: [40, 34, 28, 22, 17],
  heading: [28, 22, 17],
  imprint: [10],
  text: {
    small: [13, 11, 9],
    medium: [17, 15, 13, 11, 9],
    large: [22, 19, 17, 15, 13, 11, 9],
  } satisfies Record<TextSize, readonly number[]>,
};

const ink = "#1d1a16";
const panelFill = { colour: "#fffdf9", opacity: 0.88 };

/** A page with its picture, of which resolutions need only the size. */
interface PageOf<Picture> extends Pick<Page, "text" | "sizes" | "layout"> {
  readonly picture: Picture | null;
  readonly tag: "H1" | "P";
}

/** The cover and the pages of the story, with the styles of their texts. */
function picturePages<Picture>({
  title,
  layout,
  textSize,
  cover,
  pages,
}: Pick<BookContent, "title" | "layout" | "textSize"> & {
  readonly cover: Picture | null;
  readonly pages: readonly { readonly text: string; readonly picture: Picture | null }[];
}): readonly PageOf<Picture>[] {
  // A title beside its picture would be too narrow.
  const ofCover = layout === "over" ? "over" : "below";
  return [
    { picture: cover, text: title, tag: "H1", sizes: sizes.title, layout: ofCover },
    ...pages.map(({ picture, text }) => ({
      picture,
      text: text.trim(),
      tag: "P" as const,
      sizes: sizes.text[textSize],
      layout,
    })),
  ];
}

/** A page without a picture; none for an empty text. */
function textPage(text: string, ofText: readonly number[]): readonly PageOf<never>[] {
  return text === "" ? [] : [{ picture: null, text, tag: "P", sizes: ofText, layout: "below" }];
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
  {
    title,
    layout,
    textSize,
    cover,
    pages,
  }: Pick<Book, "title" | "layout" | "textSize" | "cover" | "pages">,
  pixels: ReadonlyMap<number, Pixels>,
  font: Uint8Array,
): ReadonlyMap<number, number> {
  const measure = measureIn(new PDFDocument({ size: [1, 1], margin: 0, font }));
  const pictureOf = (scene: number | null) => {
    const size = pixels.get(scene ?? 0);
    return scene === null || size === undefined ? null : { ...size, scene };
  };
  const all = picturePages({
    title,
    layout,
    textSize,
    cover: pictureOf(cover),
    pages: pages.map(({ scene, text }) => ({ text, picture: pictureOf(scene) })),
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
    font: font.bytes,
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

  function addFigure(picture: BookPicture, place: Place): void {
    const [x, y, imageWidth, imageHeight] = inPoints(place);
    const draw = () => {
      // Hides what is beyond the sheet; the embedded file stays whole.
      pdf
        .save()
        .rect(0, 0, ...sheet)
        .clip();
      pdf.image(open(picture), x, y, { width: imageWidth, height: imageHeight });
      pdf.restore();
    };
    book.add(pdf.struct("Figure", { alt: picture.description }, draw));
  }

  function addText(text: string, tag: string, place: PlacedText): void {
    const { size, align = "center" } = place;
    const [x, y, textWidth] = inPoints(place);
    pdf.fontSize(size).fillColor(ink, 1);
    const write = () => pdf.text(text, x, y, { width: textWidth, align, lineGap });
    book.add(pdf.struct(tag, {}, write));
  }

  function addPage(page: PageOf<BookPicture>): void {
    const { picture, text, tag } = page;
    pdf.addPage();
    const shape = picture === null ? null : open(picture);
    const placed = placePage({ ...page, picture: shape }, measureIn(pdf), bleedMm);
    if (picture !== null && placed.picture !== null) addFigure(picture, placed.picture);
    if (placed.panel !== null) {
      // The panel is decoration, which screen readers skip.
      pdf.markContent("Artifact");
      pdf.save().rect(...inPoints(placed.panel));
      pdf.fillColor(panelFill.colour, panelFill.opacity).fill().restore();
      pdf.endMarkedContent();
    }
    if (placed.text !== null) addText(text, tag, placed.text);
  }

  function addCast({ title: heading, members }: BookContent["cast"]): void {
    if (members.length === 0) return;
    pdf.addPage();
    const shapes = members.map(({ name, picture }) => ({
      name,
      picture: picture === null ? null : open(picture),
    }));
    const ofTexts = { title: sizes.heading, names: sizes.text[content.textSize] };
    const placed = placeCast({ title: heading, members: shapes }, ofTexts, measureIn(pdf), bleedMm);
    addText(heading, "H2", placed.title);
    for (const [index, { name, picture }] of members.entries()) {
      const place = placed.members[index];
      if (place === undefined) continue;
      if (picture !== null && place.picture !== null) addFigure(picture, place.picture);
      addText(name, "P", place.name);
    }
  }

  const [cover, ...pages] = picturePages(content);
  const ofTexts = sizes.text[content.textSize];
  if (cover !== undefined) addPage(cover);
  textPage(content.dedication, ofTexts).forEach(addPage);
  addCast(content.cast);
  pages.forEach(addPage);
  textPage(content.author, ofTexts).forEach(addPage);
  textPage(content.imprint.join("\n\n"), sizes.imprint).forEach(addPage);
  book.end();
  pdf.end();
  return written;
}

type PlacedText = Place & { readonly size: number; readonly align?: "left" | "center" };

const inPoints = ({ x, y, width, height }: Place) =>
  [x * millimetre, y * millimetre, width * millimetre, height * millimetre] as const;
