import { getDocument, OPS, type PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";

/** Reads what suites check of a PDF. */
export async function readPdf(bytes: Buffer) {
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const numbers = Array.from({ length: pdf.numPages }, (_, index) => index + 1);
  const sheets = await Promise.all(numbers.map((number) => pdf.getPage(number)));
  const { info } = await pdf.getMetadata();
  const { Title: title, Language: language } = info as { Title?: string; Language?: string };
  return {
    /** The text of each page. */
    pages: await Promise.all(sheets.map(textOf)),
    /** The tags of each page with the texts in place of pictures, such as `Figure: Mira sets out`. */
    tags: await Promise.all(sheets.map(async (sheet) => tagsOf(await sheet.getStructTree()))),
    /** The resolution of the pictures of each page as they are printed, in whole pixels per inch. */
    ppi: await Promise.all(sheets.map(ppiOf)),
    title,
    language,
    boxes: boxesOf(bytes),
    /** The fonts that are embedded in part, and the number of embedded fonts. */
    fonts: [...bytes.toString("latin1").matchAll(/\/FontName \/[A-Z]{6}\+([\w-]+)/g)].map(
      ([, name]) => name,
    ),
    embedded: bytes.toString("latin1").split("/FontFile2").length - 1,
    outputIntent: /\/OutputConditionIdentifier \(([^)]*)\)/.exec(bytes.toString("latin1"))?.[1],
  };
}

async function textOf(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent();
  const texts = items.map((item) => ("str" in item ? item.str : ""));
  return texts.join("").trim();
}

interface Tag {
  readonly role?: string;
  readonly alt?: string;
  readonly children?: readonly Tag[];
}

function tagsOf(tree: object | null): readonly string[] {
  const { role = "", alt, children = [] }: Tag = tree ?? {};
  const own = ["", "Root", "Document"].includes(role) ? [] : [role + (alt ? `: ${alt}` : "")];
  return [...own, ...children.flatMap(tagsOf)];
}

async function ppiOf(page: PDFPageProxy): Promise<readonly number[]> {
  const { fnArray, argsArray } = await page.getOperatorList();
  const found: number[] = [];
  const outer: number[] = [];
  let scale = 1;
  for (const [index, operation] of fnArray.entries()) {
    const values = argsArray[index] as readonly unknown[];
    if (operation === OPS.save) outer.push(scale);
    if (operation === OPS.restore) scale = outer.pop() ?? 1;
    if (operation === OPS.transform) scale *= Math.abs(Number(values[0]));
    if (operation === OPS.paintImageXObject)
      found.push(Math.floor((Number(values[1]) * 72) / scale));
  }
  return found;
}

/** The width of each page and the bleed around it, in millimetres; null without a bleed. */
function boxesOf(bytes: Buffer) {
  const text = bytes.toString("latin1");
  const millimetres = (points: string | undefined) => Math.round((Number(points) * 25.4) / 72);
  return [...text.matchAll(/<<\s*\/Type \/Page\s[^]*?>>\s*endobj/g)].map(([page]) => {
    const sheet = /\/MediaBox \[0 0 ([\d.]+)/.exec(page)?.[1];
    const trim = /\/TrimBox \[([\d.]+)/.exec(page)?.[1];
    return {
      sheet: millimetres(sheet),
      trim: trim === undefined ? null : millimetres(trim),
    };
  });
}
