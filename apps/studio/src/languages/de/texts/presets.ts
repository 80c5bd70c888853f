import type { texts as english } from "../../../texts/presets.ts";
import type { Translation } from "../../translation.ts";
import { texts as shared } from "../texts.ts";

export const texts = {
  ...shared,
  presets: {
    applied: (name: string) => `Das Formular enthält die Vorlage „${name}“.`,
    delete: (name: string) => `Vorlage „${name}“ löschen`,
    deleteAction: "Vorlage löschen",
    deleteHint: "Das Formular und seine Bilder ändern sich nicht.",
    deleteTitle: (name: string) => `Die Vorlage „${name}“ löschen?`,
    empty: "Es gibt noch keine Vorlagen. Speichern Sie den Inhalt des Formulars als erste.",
    list: "Vorlagen des Kontos",
    name: "Name",
    nameHint:
      "Speichert den Prompt und die Einstellungen des Formulars. Eine Vorlage mit demselben Namen wird ersetzt.",
    save: "Als Vorlage speichern",
    saved: (name: string) => `„${name}“ ist gespeichert.`,
    title: "Vorlagen",
  },
} satisfies Translation<typeof english>;
