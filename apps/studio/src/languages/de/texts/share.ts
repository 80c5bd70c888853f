import type { texts as english } from "../../../texts/share.ts";
import type { Translation } from "../../translation.ts";
import { texts as shared } from "../texts.ts";

export const texts = {
  ...shared,
  share: {
    action: "Link erstellen",
    copy: "Link kopieren",
    days: "Der Link gilt für",
    dayCount: (days: number) => (days === 1 ? "1 Tag" : `${days} Tage`),
    empty:
      "Es gibt keine Links. Teilen Sie ein Bild über sein Menü oder eine Geschichte über ihre Schaltfläche.",
    ends: (time: string) => `Der Link endet am ${time}.`,
    endsWithImages: (time: string) =>
      `Der Link endet früher, am ${time}, wenn die Bilder gelöscht werden. Behalten Sie sie, dann gilt er alle seine Tage.`,
    images: "Bilder",
    keep: "Bilder behalten",
    keepHint:
      "Sie zählen zum Kontingent für behaltene Bilder, auch nach dem Ende des Links, bis Sie das Behalten beenden. Sonst endet der Link, wenn sie gelöscht werden.",
    kept: "Sie werden behalten, sodass der Link alle seine Tage gilt.",
    lead: "Wer den Link hat, sieht die Bilder ohne Anmeldung, mit der Kennzeichnung „KI-generiert“. Die Seite zeigt weder Prompt noch Namen. Sie können den Link auf der Seite Konto beenden.",
    list: "Geteilte Links",
    listLead:
      "Links, die jeder Person, die sie hat, Bilder zeigen. Ein Link selbst wird nur einmal angezeigt.",
    ofImage: (image: number) => `Bild ${image}`,
    allImages: "Alle Bilder",
    once: "Kopieren Sie ihn jetzt: Er wird nur einmal angezeigt. Sie können jederzeit einen weiteren erstellen.",
    openJob: "Auftrag zeigen",
    stop: "Beenden",
    stopOf: (time: string) => `Den Link vom ${time} beenden`,
    stopped: "Der Link ist beendet.",
    stopHint: "Wer ihn hat, sieht ab jetzt nichts mehr. Die Bilder bleiben in Ihrer Bibliothek.",
    stopTitle: "Diesen Link beenden?",
    ofStory:
      "Der Link zeigt die Bilder so, wie sie zuerst entstanden sind, in der Reihenfolge der Anfrage und ohne Texte.",
    times: (from: string, to: string) => `Seit ${from}, endet am ${to}`,
    title: "Teilen",
    titleDone: "Der Link",
  },
} satisfies Translation<typeof english>;
