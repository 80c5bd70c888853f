import type { texts as english } from "../../../texts/styles.ts";
import type { Translation } from "../../translation.ts";
import { texts as shared } from "../texts.ts";

export const texts = {
  ...shared,
  styles: {
    delete: (name: string) => `Stil „${name}“ löschen`,
    deleteAction: "Stil löschen",
    deleteHint: "Prompts, die seine Wörter enthalten, ändern sich nicht.",
    deleteTitle: (name: string) => `Den Stil „${name}“ löschen?`,
    hint: "Ein Stil fügt dem Prompt seine Wörter hinzu. Dort können Sie sie ändern. Die Bilder hat der eingebaute Illustrator gezeichnet.",
    hintWithoutPictures:
      "Ein Stil fügt dem Prompt seine Wörter hinzu. Dort können Sie sie ändern. Wie sie aussehen, hängt vom Modell ab.",
    list: "Stile",
    name: "Name",
    names: {
      storybook: "Bilderbuch",
      flat: "Flächig",
      watercolour: "Aquarell",
      ink: "Tuschezeichnung",
      pastel: "Pastellkreide",
      neon: "Neonnacht",
      poster: "Retroplakat",
      monochrome: "Schwarz-Weiß",
      golden: "Goldene Stunde",
      mist: "Morgennebel",
      winter: "Winterlicht",
      storm: "Gewitter",
    },
    noOwn: "Eigene fügen Sie mit „Als Stil speichern“ im Menü eines Bildes hinzu.",
    own: "Eigene Stile",
    picture: "Bild des Stils",
    pictureUnread: "Das Bild konnte nicht gelesen werden. Versuchen Sie es noch einmal.",
    save: "Stil speichern",
    saved: (name: string) => `Der Stil „${name}“ ist gespeichert.`,
    saveHint:
      "Ein Stil oder eine Vorlage mit demselben Namen wird ersetzt. Sein Bild bleibt, auch wenn das Original gelöscht wird.",
    title: "Stile",
    titleOfNew: "Als Stil speichern",
    words: "Wörter, die der Stil einem Prompt hinzufügt",
  },
} satisfies Translation<typeof english>;
