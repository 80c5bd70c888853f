import type { texts as english } from "../../../texts/book.ts";
import type { Translation } from "../../translation.ts";
import { texts as shared } from "./stories.ts";

export const texts = {
  ...shared,
  book: {
    cover: "Titelseite",
    coverPicture: "Bild der Titelseite",
    earlier: (name: string) => `${name} nach vorn`,
    discardOlder: "Verwerfen",
    empty: "Diese Geschichte hat keine Szenen",
    emptyHint:
      "Ein Buch braucht Szenen. Bearbeiten Sie eine Kopie der Geschichte und fügen Sie welche hinzu.",
    hint: "Klicken Sie auf einen Text, um ihn zu ändern. Alt und eine Pfeiltaste verschieben eine Seite. Jede Änderung wird beim Schreiben in Ihrem Konto gespeichert; die Bilder der Geschichte ändern sich nicht.",
    imprint: "Letzte Seite",
    language: "Sprache der Texte",
    later: (name: string) => `${name} nach hinten`,
    layout: "Texte der Seiten",
    layouts: {
      below: "Unter den Bildern",
      beside: "Neben den Bildern",
      over: "Auf den Bildern",
    },
    leaveOut: (name: string) => `${name} weglassen`,
    leftOut: "Weggelassen",
    moved: (scene: number, to: number, count: number) =>
      `Szene ${scene} ist jetzt auf Seite ${to} von ${count}.`,
    noPicture: "Kein Bild",
    older:
      "Dieser Browser hat ältere Änderungen, die nicht gespeichert wurden. Das Buch wurde seitdem woanders geändert, deshalb wurden sie nicht verwendet.",
    pageOf: (number: number) => `Seite ${number}`,
    pictureOf: (number: number) => `Bild von Seite ${number}`,
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
    textOf: (number: number) => `Text von Seite ${number}`,
    titleOf: "Titel auf der Titelseite",
    unkept:
      "Ihre letzten Änderungen sind nicht im Konto gespeichert, und dieser Browser kann sie nicht behalten: Sie gehen verloren, wenn Sie diese Seite schließen.",
    useOlder: "Stattdessen verwenden",
    version: (version: number) => `Fassung ${version}`,
  },
} satisfies Translation<typeof english>;
