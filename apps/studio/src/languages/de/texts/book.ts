import type { texts as english } from "../../../texts/book.ts";
import type { Translation } from "../../translation.ts";
import { plural } from "../plural.ts";
import { texts as shared } from "./stories.ts";

const pictures = (count: number) => plural(count, { one: "1 Bild", other: `${count} Bilder` });

export const texts = {
  ...shared,
  book: {
    cover: "Titelseite",
    coverPicture: "Bild der Titelseite",
    earlier: (name: string) => `${name} nach vorn`,
    discardOlder: "Verwerfen",
    drawAgain: (count: number, size: string, price: string) =>
      `${pictures(count)} in ${size} neu zeichnen für ${price}`,
    empty: "Diese Geschichte hat keine Szenen",
    enlarged: (done: number, total: number) => `Größere Bilder: ${done} von ${total} fertig`,
    enlarging: "Größere Bilder",
    enlargingHint:
      "Die Datei wird gespeichert, sobald alle fertig sind. Wenn Sie dies schließen, entstehen sie trotzdem, und das Buch zeigt sie.",
    emptyHint:
      "Ein Buch braucht Szenen. Bearbeiten Sie eine Kopie der Geschichte und fügen Sie welche hinzu.",
    font: "Schrift",
    hintSaved: "Jede Änderung wird beim Schreiben in Ihrem Konto gespeichert.",
    hint: "Klicken Sie auf einen Text, um ihn zu ändern. Alt und eine Pfeiltaste verschieben eine Seite. Die Bilder der Geschichte ändern sich nicht.",
    imprint: "Letzte Seite",
    language: "Sprache der Texte",
    largerHint:
      "Vergrößerte Bilder zeigen dasselbe mit glatteren Kanten. Neu gezeichnete Bilder können anders aussehen. Danach wird die Datei gespeichert; die kleineren Fassungen bleiben in der Geschichte.",
    largerPictures: "Größere Bilder",
    later: (name: string) => `${name} nach hinten`,
    layout: "Texte der Seiten",
    layouts: {
      below: "Unter den Bildern",
      beside: "Neben den Bildern",
      over: "Auf den Bildern",
    },
    leaveOut: (name: string) => `${name} weglassen`,
    leftOut: "Weggelassen",
    leftOutScene: (scene: number) => `Szene ${scene}, weggelassen`,
    morePages: "Weitere Seiten",
    moved: (scene: number, to: number, count: number) =>
      `Szene ${scene} ist jetzt auf Seite ${to} von ${count}.`,
    noPicture: "Kein Bild",
    notPermitted:
      "Ihre letzten Änderungen sind nicht im Konto gespeichert. Sie bleiben in diesem Browser, bis Sie sich abmelden.",
    older:
      "Dieser Browser hat ältere Änderungen, die nicht gespeichert wurden. Das Buch wurde seitdem woanders geändert, deshalb wurden sie nicht verwendet.",
    pageNames: {
      dedication: "Widmung",
      author: "Über den Autor oder die Autorin",
      cast: "Die Figuren mit ihren Porträts",
    },
    pageOf: (number: number) => `Seite ${number}`,
    pageSize: (width: number, height: number) => `Seiten von ${width} × ${height} mm`,
    pictureOf: (number: number) => `Bild von Seite ${number}`,
    ppiAfter: (ppi: number) => `danach mindestens ${ppi} ppi`,
    ppiVerdicts: { best: "scharf", enough: "genug auf Armlänge", low: "noch unscharf" },
    printNow: "PDF speichern",
    printPages: (width: number, height: number, bleed: number) =>
      `Seiten von ${width} × ${height} mm mit ${bleed} mm Anschnitt an jeder Kante. Die Farben sind sRGB, was in der Datei steht.`,
    printPpi: (lowest: number, highest: number, count: number) =>
      lowest === highest
        ? `${pictures(count)} im Druck: ${lowest} ppi (Pixel pro Zoll)`
        : `${pictures(count)} im Druck: ${lowest} bis ${highest} ppi (Pixel pro Zoll)`,
    printVerdicts: {
      best: (_: number, best: number) => `Das ist scharf: Druckereien verlangen ${best} ppi.`,
      enough: (enough: number, best: number) =>
        `Das genügt für ein Bilderbuch, das auf Armlänge ${enough} ppi braucht. Druckereien verlangen ${best} ppi, die aus jeder Entfernung scharf sind.`,
      low: (enough: number, best: number) =>
        `Unter ${enough} ppi wirken Kanten im Druck weich. Für ein Bilderbuch genügen auf Armlänge ${enough} ppi; Druckereien verlangen ${best} ppi.`,
    },
    putBack: (scene: number) => `Szene ${scene} wieder aufnehmen`,
    savePrint: "Für den Druck speichern",
    savePrintHint: "PDF mit 3 mm Anschnitt an jeder Kante, für eine Druckerei.",
    saveHtml: "Als HTML speichern",
    savePdf: "Als PDF speichern",
    saveStates: {
      saved: "Alle Änderungen sind gespeichert.",
      saving: "Änderungen werden gespeichert …",
      failed:
        "Ihre letzten Änderungen sind nicht im Konto gespeichert. Dieser Browser behält sie und versucht es beim nächsten Öffnen dieser Seite noch einmal.",
    },
    saving: "Die Datei entsteht …",
    staySmall: (scenes: readonly number[]) =>
      scenes.length === 1
        ? `Das Bild von Szene ${scenes.join()} wurde nicht vergrößert und nicht berechnet. Das Buch behält das kleine.`
        : `Die Bilder der Szenen ${scenes.join(", ")} wurden nicht vergrößert und nicht berechnet. Das Buch behält die kleinen.`,
    textOf: (number: number) => `Text von Seite ${number}`,
    textSize: "Größe der Texte",
    textSizes: { small: "Klein", medium: "Mittel", large: "Groß" },
    titleOf: "Titel auf der Titelseite",
    unkept:
      "Ihre letzten Änderungen sind nicht im Konto gespeichert, und dieser Browser kann sie nicht behalten: Sie gehen verloren, wenn Sie diese Seite schließen.",
    upscale: (count: number, size: string, price: string) =>
      `${pictures(count)} auf ${size} vergrößern für ${price}`,
    upscaler: "Vergrößern mit",
    useOlder: "Stattdessen verwenden",
    version: (version: number) => `Fassung ${version}`,
  },
} satisfies Translation<typeof english>;
