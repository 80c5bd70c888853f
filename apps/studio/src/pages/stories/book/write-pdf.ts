import { PDFDocument, type PdfImage } from "pdfkit";
import { toBlob } from "pdfkit/output";
import type { BookContent, BookPicture } from "./book-content.ts";

const millimetre = 72 / 25.4;
const side = 210 * millimetre;
const margin = 14 * millimetre;
const width = side - 2 * margin;
/** Between the picture and the text. */
const gap = 8 * millimetre;

/** Sizes of the text in points; the largest one that leaves the picture its part of the page is used. */
const textSizes = [17, 15, 13, 11, 9];
const titleSizes = [40, 34, 28, 22, 17];
const imprintSizes = [10];
/** The part of the height that the text may take when there is a picture. */
const textPart = 0.4;

/**
 * Writes a book as a tagged PDF of square pages, with its font embedded. The JPEG files of the pictures
 * are embedded unchanged, with their marks.
 */
export function writePdf(content: BookContent): Promise<Blob> {
  const { title, language, font } = content;
  const pdf = new PDFDocument({
    size: [side, side],
    margin,
    font,
    lang: language,
    tagged: true,
    displayTitle: true,
    pdfVersion: "1.7",
    autoFirstPage: false,
    info: { Title: title, Creator: "Atelier Studio", Subject: content.imprint.join(" ") },
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

  function addPage(page: {
    readonly picture: BookPicture | null;
    readonly text: string;
    readonly tag: "H1" | "P";
    readonly sizes: readonly number[];
  }): void {
    const { picture, text, tag, sizes } = page;
    pdf.addPage();
    const options = { width, align: "center", lineGap: 3 } as const;
    const highest = picture === null ? side - 2 * margin : side * textPart;
    const heightAt = (size: number) => pdf.fontSize(size).heightOfString(text, options);
    const size = sizes.find((one) => heightAt(one) <= highest) ?? sizes.at(-1) ?? 9;
    const textHeight = text === "" ? 0 : Math.min(heightAt(size), highest);
    let top = (side - textHeight) / 2;
    if (picture !== null) {
      const image = open(picture);
      const room = side - 2 * margin - (text === "" ? 0 : textHeight + gap);
      const scale = Math.min(width / image.width, room / image.height);
      const [shownWidth, shownHeight] = [image.width * scale, image.height * scale];
      const y = (side - shownHeight - (text === "" ? 0 : textHeight + gap)) / 2;
      const x = (side - shownWidth) / 2;
      top = y + shownHeight + gap;
      book.add(
        pdf.struct("Figure", { alt: picture.description }, () =>
          pdf.image(image, x, y, { width: shownWidth, height: shownHeight }),
        ),
      );
    }
    if (text === "") return;
    pdf.fontSize(size);
    book.add(pdf.struct(tag, {}, () => pdf.text(text, margin, top, options)));
  }

  addPage({ picture: content.cover, text: title, tag: "H1", sizes: titleSizes });
  for (const { picture, text } of content.pages) {
    addPage({ picture, text: text.trim(), tag: "P", sizes: textSizes });
  }
  addPage({ picture: null, text: content.imprint.join("\n\n"), tag: "P", sizes: imprintSizes });
  book.end();
  pdf.end();
  return written;
}
