import type { BookContent, BookPicture } from "./book-content.ts";

const style = `
*{box-sizing:border-box;margin:0}
body{background:#e9e4da;color:#1d1a16;font:1.2rem/1.6 Literata,serif;padding:1.5rem}
main{display:grid;gap:1.5rem;max-width:50rem;margin:auto}
section{display:flex;flex-direction:column;align-items:center;justify-content:center;gap:1.6rem;min-height:min(50rem,calc(100vw - 3rem));padding:3rem;background:#fffdf9;text-align:center;overflow-wrap:anywhere}
h1{font-weight:400;font-size:clamp(1.8rem,6vw,3.2rem);line-height:1.2;text-wrap:balance}
p{white-space:pre-line;text-wrap:pretty;max-width:38rem}
img{max-width:100%;max-height:34rem}
.imprint{font-size:.9rem;gap:.6rem}
.beside section:not(.cover,.imprint):has(p):has(img){flex-direction:row;text-align:left}
.beside section:not(.cover,.imprint):has(p) img{width:56%;max-height:none}
.over section:has(img){position:relative;justify-content:flex-end;overflow:hidden}
.over img{position:absolute;inset:0;width:100%;height:100%;max-height:none;object-fit:cover}
.over section:has(img)>:not(img){position:relative;width:100%;max-width:none;padding:1rem;background:#fffdf9e0}
@media(max-width:40rem){body{padding:0}main{gap:.5rem}section{padding:1.5rem;min-height:0}.over section:has(img){min-height:100vw}}
@page{size:210mm 210mm;margin:0}
@media print{body{background:none;padding:0}main{display:block;max-width:none}section{height:210mm;min-height:0;padding:14mm;break-after:page;break-inside:avoid}section:last-child{break-after:auto}img{max-height:135mm}.over img{max-height:none}}
`;

/**
 * Writes a book as one HTML file, with its font and the unchanged JPEG files of its pictures, and their
 * marks, inside.
 */
export async function writeHtml(content: BookContent): Promise<Blob> {
  const { title, language, layout, cover, pages, imprint, font } = content;
  const sections = [
    section(' class="cover"', [await imageOf(cover), `<h1>${escape(title)}</h1>`]),
    ...(await Promise.all(
      pages.map(async ({ picture, text }) =>
        section("", [await imageOf(picture), paragraphOf(text.trim())]),
      ),
    )),
    section(' class="imprint"', imprint.map(paragraphOf)),
  ];
  const fontFace = `@font-face{font-family:Literata;src:url("${await toDataUrl(font, "font/ttf")}")}`;
  const html = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Atelier Studio">
<meta name="description" content="${escape(imprint.join(" "))}">
<title>${escape(title)}</title>
<style>${fontFace}${style}</style>
</head>
<body>
<main class="${layout}">
${sections.join("\n")}
</main>
</body>
</html>
`;
  return new Blob([html], { type: "text/html" });
}

function section(attributes: string, parts: readonly string[]): string {
  return `<section${attributes}>${parts.join("")}</section>`;
}

function paragraphOf(text: string): string {
  return text === "" ? "" : `<p>${escape(text)}</p>`;
}

async function imageOf(picture: BookPicture | null): Promise<string> {
  if (picture === null) return "";
  const url = await toDataUrl(picture.bytes, "image/jpeg");
  return `<img src="${url}" alt="${escape(picture.description)}">`;
}

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

function toDataUrl(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result as string));
    reader.addEventListener("error", () => reject(reader.error ?? new Error("unreadable")));
    reader.readAsDataURL(new Blob([bytes], { type }));
  });
}
