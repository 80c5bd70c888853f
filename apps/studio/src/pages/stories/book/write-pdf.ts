import { PDFDocument, type PdfImage } from "pdfkit";
import { toBlob } from "pdfkit/output";
import type { BookContent, BookPicture } from "./book-content.ts";
import type { BookLayout } from "./book.ts";

const millimetre = 72 / 25.4;
const side = 210 * millimetre;
const margin = 14 * millimetre;
const width = side - 2 * margin;
/** Between lines of a text, in points. */
const lineGap = 3;
/** Between the picture and the text. */
const gap = 8 * millimetre;

/** Sizes of the text in points; the largest one that leaves the picture its part of the page is used. */
const textSizes = [17, 15, 13, 11, 9];
const titleSizes = [40, 34, 28, 22, 17];
const imprintSizes = [10];
/** The part of the height that the text may take when there is a picture. */
const textPart = 0.4;

/** Beside a picture, the part of the width that it takes. */
const picturePart = 0.56;

/** Around a text that is over a picture. */
const padding = 4 * millimetre;
const ink = "#1d1a16";
const panel = { colour: "#fffdf9", opacity: 0.88 };

interface Page {
  readonly picture: BookPicture | null;
  readonly text: string;
  readonly tag: "H1" | "P";
  readonly sizes: readonly number[];
  readonly layout: BookLayout;
}

/**
 * Writes a book as a tagged PDF of square pages, with its font embedded. The JPEG files of the pictures
 * are embedded unchanged, with their marks.
 *
 * @param bleedMm what the pages have beyond their edges, in millimetres: 0 for the screen.
 */
export function writePdf(
  content: BookContent,
  { bleedMm }: { readonly bleedMm: number },
): Promise<Blob> {
  const { title, language, font } = content;
  const bleed = bleedMm * millimetre;
  const sheet = side + 2 * bleed;
  const edge = bleed + margin;
  const pdf = new PDFDocument({
    size: [sheet, sheet],
    margin: edge,
    font,
    lang: language,
    tagged: true,
    displayTitle: true,
    pdfVersion: "1.7",
    autoFirstPage: false,
    info: { Title: title, Creator: "Atelier Studio", Subject: content.imprint.join(" ") },
  });
  // Where the print shop cuts (ISO 32000-1, 14.11.2).
  pdf.on("pageAdded", () => {
    if (bleed === 0) return;
    pdf.page.dictionary.data["BleedBox"] = [0, 0, sheet, sheet];
    pdf.page.dictionary.data["TrimBox"] = [bleed, bleed, bleed + side, bleed + side];
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

  function addFigure(picture: BookPicture, draw: () => void): void {
    book.add(pdf.struct("Figure", { alt: picture.description }, draw));
  }

  /** The largest size at which a text is not higher than its place, and its height then. */
  function fit({ text, sizes }: Page, textWidth: number, highest: number) {
    const heightAt = (size: number) =>
      pdf.fontSize(size).heightOfString(text, { width: textWidth, lineGap });
    const size = sizes.find((one) => heightAt(one) <= highest) ?? sizes.at(-1) ?? 9;
    return { size, height: text === "" ? 0 : Math.min(heightAt(size), highest) };
  }

  function addText(
    { text, tag }: Page,
    place: { x: number; y: number; width: number; size: number; align: "left" | "center" },
  ): void {
    if (text === "") return;
    const { x, y, size, ...options } = place;
    pdf.fontSize(size).fillColor(ink);
    book.add(pdf.struct(tag, {}, () => pdf.text(text, x, y, { ...options, lineGap })));
  }

  /** The picture in the middle of the page, and the text below it. */
  function addBelow(page: Page): void {
    const { picture, text } = page;
    const { size, height } = fit(page, width, picture === null ? width : side * textPart);
    const below = text === "" ? 0 : height + gap;
    let y = (sheet - height) / 2;
    if (picture !== null) {
      const image = open(picture);
      const scale = Math.min(width / image.width, (width - below) / image.height);
      const shown = { width: image.width * scale, height: image.height * scale };
      const top = (sheet - shown.height - below) / 2;
      y = top + shown.height + gap;
      addFigure(picture, () => pdf.image(image, (sheet - shown.width) / 2, top, shown));
    }
    addText(page, { x: edge, y, width, size, align: "center" });
  }

  function addBeside(page: Page, picture: BookPicture): void {
    const pictureWidth = width * picturePart;
    const textWidth = width - pictureWidth - gap;
    const image = open(picture);
    const scale = Math.min(pictureWidth / image.width, width / image.height);
    const shown = { width: image.width * scale, height: image.height * scale };
    addFigure(picture, () =>
      pdf.image(image, edge + (pictureWidth - shown.width) / 2, (sheet - shown.height) / 2, shown),
    );
    const { size, height } = fit(page, textWidth, width);
    const x = edge + pictureWidth + gap;
    addText(page, { x, y: (sheet - height) / 2, width: textWidth, size, align: "left" });
  }

  /** The picture fills the page up to the bleed. The file is not cut: what is beyond the page is not shown. */
  function addOver(page: Page, picture: BookPicture): void {
    const image = open(picture);
    const scale = Math.max(sheet / image.width, sheet / image.height);
    const shown = { width: image.width * scale, height: image.height * scale };
    addFigure(picture, () => {
      pdf.save().rect(0, 0, sheet, sheet).clip();
      pdf.image(image, (sheet - shown.width) / 2, (sheet - shown.height) / 2, shown);
      pdf.restore();
    });
    if (page.text === "") return;
    const textWidth = width - 2 * padding;
    const { size, height } = fit(page, textWidth, side * textPart);
    const top = sheet - edge - height - 2 * padding;
    // Screen readers skip what only makes the text readable.
    pdf.markContent("Artifact");
    pdf.save().rect(edge, top, width, height + 2 * padding);
    pdf.fillColor(panel.colour, panel.opacity).fill().restore();
    pdf.endMarkedContent();
    pdf.fillColor(ink, 1);
    addText(page, { x: edge + padding, y: top + padding, width: textWidth, size, align: "center" });
  }

  function addPage(page: Page): void {
    const { picture, layout } = page;
    pdf.addPage();
    if (picture === null || layout === "below") return addBelow(page);
    if (layout === "over") return addOver(page, picture);
    return page.text === "" ? addBelow(page) : addBeside(page, picture);
  }

  const { cover, pages, imprint, layout } = content;
  // A title beside its picture would be too narrow.
  const ofCover = layout === "over" ? "over" : "below";
  addPage({ picture: cover, text: title, tag: "H1", sizes: titleSizes, layout: ofCover });
  for (const { picture, text } of pages) {
    addPage({ picture, text: text.trim(), tag: "P", sizes: textSizes, layout });
  }
  addPage({ picture: null, text: imprint.join("\n\n"), tag: "P", sizes: imprintSizes, layout });
  book.end();
  pdf.end();
  return written;
}
