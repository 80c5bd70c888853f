import { escapeMarkup } from "@atelier/kit/escape-markup";
import type { BookContent, BookPicture } from "./book-content.ts";
import { textScales } from "./book.ts";

const style = `
*{box-sizing:border-box;margin:0}
body{background:#e9e4da;color:#1d1a16;font:1.2rem/1.6 Book,serif;padding:1.5rem}
main{display:grid;gap:1.5rem;max-width:50rem;margin:auto}
section{display:flex;flex-direction:column;align-items:center;justify-content:center;gap:1.6rem;min-height:min(50rem,calc(100vw - 3rem));padding:3rem;background:#fffdf9;text-align:center;overflow-wrap:anywhere}
h1{font-weight:400;font-size:clamp(1.8rem,6vw,3.2rem);line-height:1.2;text-wrap:balance}
p,figcaption{white-space:pre-line;text-wrap:pretty;font-size:calc(1em*var(--scale))}
p{max-width:38rem}
h2{font-weight:400;font-size:clamp(1.5rem,4vw,2.2rem)}
img{max-width:100%;max-height:34rem}
.imprint{font-size:.9rem;gap:.6rem}
.imprint p{font-size:1em}
.cast div{display:flex;flex-wrap:wrap;justify-content:center;gap:1.5rem}
figure{width:9.5rem}
figure img{display:block;width:100%;margin-bottom:.4rem}
.beside section.scene:has(p):has(img){flex-direction:row;text-align:left}
.beside section.scene:has(p) img{width:56%;max-height:none}
.over :is(.cover,.scene):has(img){position:relative;justify-content:flex-end;overflow:hidden}
.over :is(.cover,.scene) img{position:absolute;inset:0;width:100%;height:100%;max-height:none;object-fit:cover}
.over :is(.cover,.scene):has(img)>:not(img){position:relative;width:100%;max-width:none;padding:1rem;background:#fffdf9e0}
@media(max-width:40rem){body{padding:0}main{gap:.5rem}section{padding:1.5rem;min-height:0}.over :is(.cover,.scene):has(img){min-height:100vw}}
@page{size:210mm 210mm;margin:0}
@media print{body{background:none;padding:0}main{display:block;max-width:none}section{height:210mm;min-height:0;padding:14mm;break-after:page;break-inside:avoid}section:last-child{break-after:auto}img{max-height:135mm}.over :is(.cover,.scene) img{max-height:none}}
`;

/**
 * Writes a book as one HTML file, with its font and the unchanged JPEG files of its pictures, and their
 * marks, inside.
 */
export async function writeHtml(content: BookContent): Promise<Blob> {
  const { title, language, layout, textSize, cover, pages, imprint, font } = content;
  const { dedication, cast, author } = content;
  const members = await Promise.all(
    cast.members.map(
      async ({ name, picture }) =>
        `<figure>${await imageOf(picture)}<figcaption>${escapeMarkup(name)}</figcaption></figure>`,
    ),
  );
  const sections = [
    section(' class="cover"', [await imageOf(cover), `<h1>${escapeMarkup(title)}</h1>`]),
    ...(dedication === "" ? [] : [section("", [paragraphOf(dedication)])]),
    ...(members.length === 0
      ? []
      : [
          section(' class="cast"', [
            `<h2>${escapeMarkup(cast.title)}</h2><div>`,
            ...members,
            "</div>",
          ]),
        ]),
    ...(await Promise.all(
      pages.map(async ({ picture, text }) =>
        section(' class="scene"', [await imageOf(picture), paragraphOf(text.trim())]),
      ),
    )),
    ...(author === "" ? [] : [section("", [paragraphOf(author)])]),
    section(' class="imprint"', imprint.map(paragraphOf)),
  ];
  const fontFace = `@font-face{font-family:Book;src:url("${await toDataUrl(font.bytes, "font/ttf")}")}`;
  const html = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Atelier Studio">
<meta name="description" content="${escapeMarkup(imprint.join(" "))}">
<title>${escapeMarkup(title)}</title>
<style>${fontFace}:root{--scale:${textScales[textSize]}}${style}</style>
<!-- The font is ${font.family} (SIL Open Font License 1.1, https://openfontlicense.org). -->
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
  return text === "" ? "" : `<p>${escapeMarkup(text)}</p>`;
}

async function imageOf(picture: BookPicture | null): Promise<string> {
  if (picture === null) return "";
  const url = await toDataUrl(picture.bytes, "image/jpeg");
  return `<img src="${url}" alt="${escapeMarkup(picture.description)}">`;
}

function toDataUrl(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result as string));
    reader.addEventListener("error", () => reject(reader.error ?? new Error("unreadable")));
    reader.readAsDataURL(new Blob([bytes], { type }));
  });
}
