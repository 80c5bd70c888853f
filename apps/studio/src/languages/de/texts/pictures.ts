import type { texts as english } from "../../../texts/pictures.ts";
import type { Translation } from "../../translation.ts";
import { plural } from "../plural.ts";
import { texts as shared } from "../texts.ts";

export const texts = {
  ...shared,
  pictures: {
    actions: "Weitere Aktionen",
    actionsFor: (title: string) => `Aktionen: ${title}`,
    changes: {
      edit: "Bearbeiten",
      upscale: "Vergrößern",
      "remove-background": "Freistellen",
      outpaint: "Erweitern",
      erase: "Teil entfernen",
      vectorize: "Nachzeichnen",
      variations: "Variieren",
    },
    collections: {
      add: "Zu einer Sammlung hinzufügen",
      added: (count: number, name: string) =>
        plural(count, {
          one: `Zu „${name}“ hinzugefügt.`,
          other: `${count} Aufträge zu „${name}“ hinzugefügt.`,
        }),
      count: (jobs: number) => plural(jobs, { one: "1 Auftrag", other: `${jobs} Aufträge` }),
      create: "Erstellen und hinzufügen",
      hint: "Es gibt noch keine Sammlungen. Erstellen Sie die erste.",
      name: "Neue Sammlung",
      remove: (name: string) => `Aus „${name}“ entfernen`,
      removed: (count: number, name: string) =>
        plural(count, {
          one: `Aus „${name}“ entfernt.`,
          other: `${count} Aufträge aus „${name}“ entfernt.`,
        }),
      title: (count: number) =>
        plural(count, {
          one: "Zu einer Sammlung hinzufügen",
          other: `${count} Aufträge zu einer Sammlung hinzufügen`,
        }),
    },
    compare: {
      title: "Bilder vergleichen",
      view: "Ansicht",
      views: { slider: "Schieberegler", sideBySide: "Nebeneinander" },
      names: { before: "Vorher", after: "Nachher" },
      slider: "Anteil des ersten Bildes",
      sliderValue: (percent: string, name: string) => `${percent} ${name}`,
      foreign: "Das Original liegt an einer anderen Adresse und ist hier nicht gespeichert.",
      missing: "Eines der Bilder wurde gelöscht.",
    },
    compareOriginal: "Mit dem Original vergleichen",
    compareSelect: "Zum Vergleichen auswählen",
    compareSelected: "Wählen Sie „Vergleichen“ im Menü eines anderen Bildes.",
    compareWith: (title: string) => `Vergleichen mit „${title}“`,
    saveStyle: "Als Stil speichern",
    share: "Teilen",
    delete: "Bilder löschen",
    deleteHint:
      "Alle Bilder dieses Auftrags werden gelöscht. Sie lassen sich nicht wiederherstellen; der Auftrag, seine Kosten und die Hashes bleiben.",
    deleteTitle: "Die Bilder dieses Auftrags löschen?",
    download: (format: string) => `${format} herunterladen`,
    history: {
      title: "Verlauf dieses Bildes",
      original: "Original",
      others: "Andere Änderungen an diesen Bildern",
    },
    keep: "Behalten",
    kept: "Die Bilder dieses Auftrags bleiben, bis Sie sie löschen.",
    keepNamed: (title: string) => `Behalten: ${title}`,
    keptShort: "Wird behalten",
    keptUntil: "Sie sie löschen",
    left: (time: string) => `noch ${time}`,
    pixels: (width: number, height: number) => `${width} × ${height}`,
    quota: (used: string, quota: string) => `Behalten: ${used} von ${quota}`,
    starredNotKept:
      "Der Stern ist gesetzt, aber der Platz für behaltene Bilder ist aufgebraucht. Behalten Sie zuerst andere nicht länger.",
    notKept: "Für die Bilder dieses Auftrags gilt wieder die Aufbewahrung des Kontos.",
    openIn: { create: "In „Erstellen“ öffnen", library: "In der Bibliothek öffnen" },
    release: "Nicht länger behalten",
    refer: "Als Referenz verwenden",
    similar: "Ähnliche Bilder",
    star: "Mit Stern versehen",
    unstar: "Stern entfernen",
    warnings: "Nicht alles in der Anfrage hatte eine Wirkung",
    toolStarted: "Das Bild ist im Formular.",
  },
} satisfies Translation<typeof english>;
