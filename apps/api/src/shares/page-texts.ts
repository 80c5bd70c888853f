import { labelTexts, type StudioLanguage } from "@atelier/schemas";

/** The texts of shared pages. They begin with the language that others fall back to. */
interface PageTexts {
  readonly title: (images: number) => string;
  readonly generated: string;
  /** Of a label, about all images of the page. */
  readonly statement: (images: number) => string;
  readonly alternative: (image: number, images: number) => string;
  readonly file: string;
  readonly verify: string;
  readonly explanation: string;
  readonly ends: (time: string) => string;
  readonly report: string;
  readonly notFoundTitle: string;
  readonly notFound: string;
}

export const pageTexts = {
  en: {
    title: (images) => (images === 1 ? "A shared picture" : "Shared pictures"),
    generated: "AI-generated",
    statement: (images) =>
      images === 1
        ? labelTexts.en.statement
        : "These images have been artificially generated or manipulated.",
    alternative: (image, images) =>
      images === 1 ? "AI-generated picture" : `AI-generated picture ${image} of ${images}`,
    file: "Open the file with its provenance",
    verify: "Verify a file",
    explanation:
      "Each file contains a signed C2PA manifest that says how it was made. It stays in copies of the file.",
    ends: (time) => `This link ends on ${time}.`,
    report: "Report abuse:",
    notFoundTitle: "This link does not show anything",
    notFound: "It is not complete, or it has ended. Ask the person who sent it for a new one.",
  },
  de: {
    title: (images) => (images === 1 ? "Ein geteiltes Bild" : "Geteilte Bilder"),
    generated: "KI-generiert",
    statement: (images) =>
      images === 1
        ? labelTexts.de.statement
        : "Diese Bilder wurden künstlich erzeugt oder manipuliert.",
    alternative: (image, images) =>
      images === 1 ? "KI-generiertes Bild" : `KI-generiertes Bild ${image} von ${images}`,
    file: "Datei mit Herkunftsnachweis öffnen",
    verify: "Eine Datei prüfen",
    explanation:
      "Jede Datei enthält ein signiertes C2PA-Manifest, das sagt, wie sie entstanden ist. Es bleibt in Kopien der Datei erhalten.",
    ends: (time) => `Dieser Link endet am ${time}.`,
    report: "Missbrauch melden:",
    notFoundTitle: "Dieser Link zeigt nichts",
    notFound:
      "Er ist unvollständig oder abgelaufen. Bitten Sie die Person, die ihn geschickt hat, um einen neuen.",
  },
} as const satisfies Record<StudioLanguage, PageTexts>;
