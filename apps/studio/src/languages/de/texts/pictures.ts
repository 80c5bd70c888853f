import type { texts as english } from "../../../texts/pictures.ts";
import type { Translation } from "../../translation.ts";
import { texts as shared } from "../texts.ts";

export const texts = {
  ...shared,
  pictures: {
    actions: "Weitere Aktionen",
    actionsFor: (title: string) => `Aktionen: ${title}`,
    changes: { edit: "Bearbeiten", upscale: "Vergrößern", "remove-background": "Freistellen" },
    compare: {
      title: "Bilder vergleichen",
      view: "Ansicht",
      views: { slider: "Schieberegler", sideBySide: "Nebeneinander" },
      names: { before: "Vorher", after: "Nachher" },
      slider: "Anteil des ersten Bildes",
      sliderValue: (part: number, name: string) => `${part} % ${name}`,
      foreign: "Das Original liegt an einer anderen Adresse und ist hier nicht gespeichert.",
      missing: "Eines der Bilder wurde gelöscht.",
    },
    compareOriginal: "Mit dem Original vergleichen",
    compareSelect: "Zum Vergleichen auswählen",
    compareSelected: "Wählen Sie „Vergleichen“ im Menü eines anderen Bildes.",
    compareWith: (title: string) => `Vergleichen mit „${title}“`,
    download: (format: string) => `${format} herunterladen`,
    keep: "Behalten",
    kept: "Die Bilder dieses Auftrags bleiben, bis Sie sie löschen.",
    keptUntil: "Bis Sie sie löschen",
    notKept: "Für die Bilder dieses Auftrags gilt wieder die Aufbewahrung des Kontos.",
    openIn: { create: "In „Erstellen“ öffnen", library: "In der Bibliothek öffnen" },
    release: "Nicht länger behalten",
    refer: "Als Referenz verwenden",
    toolStarted: "Das Bild ist im Formular.",
  },
} satisfies Translation<typeof english>;
