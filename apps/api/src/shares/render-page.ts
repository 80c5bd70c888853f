import { hash } from "node:crypto";
import type { SharedPage } from "@atelier/generations/library";
import { escapeMarkup } from "@atelier/kit/escape-markup";
import type { StudioLanguage } from "@atelier/schemas";
import { pageTexts } from "./page-texts.ts";

/** Dark and light follow the browser, since the page has no script. */
const style = `
:root { color-scheme: light dark; --text: #1b1b1b; --ground: #fff; --faint: #595959; --line: #d0d0d0 }
@media (prefers-color-scheme: dark) {
  :root { --text: #f2f2f2; --ground: #16171a; --faint: #b4b4b4; --line: #3c3f45 }
}
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 64rem; padding: 1rem; color: var(--text); background: var(--ground); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { font-size: 1.25rem; margin: 0 0 1rem }
figure { margin: 0 0 2rem }
img { display: block; max-width: 100%; height: auto; border-radius: 0.375rem; background: #fff }
figcaption { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; padding-top: 0.5rem }
strong { border: 1px solid currentColor; border-radius: 0.25rem; padding: 0 0.4em }
a { color: inherit; display: inline-block; min-height: 1.5rem }
footer { border-top: 1px solid var(--line); color: var(--faint); font-size: 0.875rem }
`;

const styleSource = `'sha256-${hash("sha256", style, "base64")}'`;

/**
 * The policy of shared pages: no script, no form, no frame and no origin, images of this service and its storage
 * only. Links may open the page that verifies images, a file and a mail program.
 *
 * @param origins of images and of the files that they are redirected to.
 */
export function sharedPagePolicy(origins: readonly string[]): string {
  return [
    "default-src 'none'",
    `style-src ${styleSource}`,
    `img-src ${[...new Set(origins)].join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "sandbox allow-downloads allow-top-navigation-to-custom-protocols",
  ].join("; ");
}

/** Addresses that a shared page links to. */
interface PageLinks {
  /** The link itself, below which its images are. */
  readonly url: string;
  readonly verifyUrl: string;
  /** An e-mail address or a URL. */
  readonly abuseContact: string;
}

/** Locales whose dates have the day before the month. */
const dateLocales = { en: "en-GB", de: "de" } as const satisfies Record<StudioLanguage, string>;

/** Renders the page of a link. */
export function renderPage(
  language: StudioLanguage,
  { images, endsAt }: SharedPage,
  { url, verifyUrl, abuseContact }: PageLinks,
): string {
  const texts = pageTexts[language];
  const figures = images.map(({ full, thumbnail }, index) => {
    const file = `${url}/${index}/full`;
    const sizes =
      thumbnail === null
        ? ""
        : ` srcset="${escapeMarkup(`${url}/${index}/thumbnail`)} ${thumbnail.width}w, ${escapeMarkup(file)} ${full.width}w" sizes="min(100vw, 62rem)"`;
    const alternative = texts.alternative(index + 1, images.length);
    return `<figure>
<img src="${escapeMarkup(file)}"${sizes} width="${full.width}" height="${full.height}" alt="${alternative}"${index === 0 ? "" : ' loading="lazy"'}>
<figcaption><strong>${texts.generated}</strong> <a href="${escapeMarkup(file)}">${texts.file}</a></figcaption>
</figure>`;
  });
  const time = new Intl.DateTimeFormat(dateLocales[language], {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  }).format(endsAt);
  const contact = /^https?:/.test(abuseContact) ? abuseContact : `mailto:${abuseContact}`;
  return renderDocument(
    language,
    texts.title(images.length),
    `<main>
<h1>${texts.title(images.length)}</h1>
${figures.join("\n")}
</main>
<footer>
<p>${texts.statement(images.length)} ${texts.explanation} <a href="${escapeMarkup(verifyUrl)}">${texts.verify}</a></p>
<p>${texts.ends(`${time} UTC`)}</p>
<p>${texts.report} <a href="${escapeMarkup(contact)}">${escapeMarkup(abuseContact)}</a></p>
</footer>`,
  );
}

/** Renders the page of a link that is unknown or has ended, which is the same for all of them. */
export function renderNotFound(language: StudioLanguage): string {
  const { notFoundTitle, notFound } = pageTexts[language];
  return renderDocument(
    language,
    notFoundTitle,
    `<main><h1>${notFoundTitle}</h1><p>${notFound}</p></main>`,
  );
}

function renderDocument(language: StudioLanguage, title: string, content: string): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
${content}
</body>
</html>
`;
}
