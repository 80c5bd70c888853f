import type { texts as english } from "../../../texts/account.ts";
import type { Translation } from "../../translation.ts";
import { texts as shared } from "../texts.ts";
import { plural } from "../plural.ts";

function atLeast(count: number, isAtLeast: boolean): string {
  return `${isAtLeast ? "Mindestens " : ""}${count}`;
}

export const texts = {
  ...shared,
  account: {
    amount: "Betrag",
    balance: "Guthaben",
    browserOn: (browser: string, system: string) => `${browser} unter ${system}`,
    copyId: "Kennung des Kontos kopieren",
    download: "Alle Daten herunterladen",
    endSession: "Abmelden",
    endSessionOf: (key: string) => `Die Sitzung mit dem Schlüssel „${key}“ abmelden`,
    endSessions: "Überall abmelden",
    erase: "Konto löschen",
    eraseText:
      "Nur der Betreiber dieses Dienstes kann ein Konto löschen, weil es sich nicht rückgängig machen lässt. Schreiben Sie ihm mit der Kennung unten. Er entfernt Ihren Namen, Schlüssel, Webhooks, Prompts und Bilder; die Buchungen und die Hashes der Bilder bleiben, wie es das Gesetz verlangt.",
    export: "Ihre Daten",
    exported: (size: string) => `Gespeichert, ${size}`,
    exporting: "Wird gelesen …",
    exportLead:
      "Alles, was der Dienst über dieses Konto speichert, als JSON-Zeilen: Schlüssel ohne ihr Geheimnis, Aufträge mit ihren Prompts, Links zu Bildern und jede Buchung.",
    hidden: (parts: string) => `Ihre Berechtigungen umfassen diese Teile nicht: ${parts}.`,
    held: "Für laufende Aufträge reserviert",
    id: "Kennung des Kontos",
    incomplete:
      "Der Export brach vor dem Ende ab und wurde nicht gespeichert. Versuchen Sie es noch einmal.",
    job: (end: string) => `Auftrag …${end}`,
    makersReadAll: "Gestalter sehen alle Aufträge",
    makersReadAllHint:
      "Ändern und teilen können sie weiterhin nur die eigenen. Sonst sehen Gestalter nur die Aufträge, die sie selbst angefragt haben, und teilen nichts.",
    keepStarred: "Alles behalten, was einen Stern bekommt",
    keepStarredHint:
      "Die Bilder eines Auftrags mit Stern bleiben, bis Sie sie löschen, solange der Platz für behaltene Bilder reicht. Sie bleiben auch, wenn Sie den Stern entfernen.",
    kind: "Art",
    kinds: {
      top_up: "Aufladung",
      charge: "Belastung",
      withdrawal: "Auszahlung",
      refund: "Erstattung",
    },
    language: "Sprache",
    languageHint: "Gilt für Studio in jedem Browser, der bei diesem Konto angemeldet ist.",
    languageOfBrowser: "Sprache des Browsers",
    lowBalance: "Niedriges Guthaben (EUR)",
    lowBalanceHint:
      "Fällt das Guthaben unter diesen Betrag, werden Ihre Webhooks benachrichtigt, mit dem Ereignis account.balance_low. Leer: keine Benachrichtigung.",
    moneyText:
      "Der Preis eines Auftrags wird reserviert, wenn der Auftrag angenommen wird, berechnet, wenn er fertig ist, und freigegeben, wenn er scheitert. Guthaben lädt der Betreiber dieses Dienstes auf.",
    noTransactions: "Noch keine Buchungen",
    noTransactionsHint: "Hier erscheinen Aufladungen und die Kosten fertiger Aufträge.",
    reference: "Verweis",
    retention: "Bilder aufbewahren (Stunden)",
    retentionHint: (hours: number) =>
      `So viele Stunden nach dem Ende eines Auftrags werden seine Dateien gelöscht; ihre Hashes bleiben. Gilt auch für vorhandene Bilder. Höchstens ${hours}; leer: dieser Höchstwert.`,
    shorten: (time: string) => `Bilder ${time} aufbewahren`,
    shortenTitle: (time: string) => `Bilder nur ${time} aufbewahren?`,
    shortenAtOnce: (count: number, isAtLeast: boolean, time: string) =>
      plural(count, {
        one: `${atLeast(count, isAtLeast)} Bild ist älter als ${time} und wird innerhalb weniger Minuten gelöscht.`,
        other: `${atLeast(count, isAtLeast)} Bilder sind älter als ${time} und werden innerhalb weniger Minuten gelöscht.`,
      }),
    shortenLater: (count: number, isAtLeast: boolean, from: string, to: string) => {
      const time = from === to ? from : `${from} bis ${to}`;
      return plural(count, {
        one: `${atLeast(count, isAtLeast)} Bild wird früher gelöscht als mit der jetzigen Einstellung: ${time}.`,
        other: `${atLeast(count, isAtLeast)} Bilder werden früher gelöscht als mit der jetzigen Einstellung: ${time}.`,
      });
    },
    shortenHint:
      "Das lässt sich nicht rückgängig machen. Laden Sie zuerst die Bilder herunter, die Sie behalten möchten.",
    saved: "Gespeichert",
    sessions: "Sitzungen",
    sessionsLead:
      "Browser, die mit Ihrem Schlüssel bei Studio angemeldet sind, oder mit einem, den Sie widerrufen dürfen. „Überall abmelden“ beendet nur die Sitzungen mit Ihrem Schlüssel.",
    sessionTimes: (since: string, used: string) => `Seit ${since}, zuletzt verwendet ${used}`,
    settings: "Einstellungen",
    settingsLead:
      "Sie gelten für jeden Schlüssel dieses Kontos: die Strenge für neue Anfragen, die Aufbewahrung auch für vorhandene Bilder.",
    thisBrowser: "Dieser Browser",
    unknownBrowser: "Unbekannter Browser",
    stars: "Sterne",
    strictnessHints: {
      normal: "Lehnt auch sexuelle Inhalte, blutige Gewalt, Drogen und Obszönes ab",
      liberal: "Lehnt nur ab, was verboten, hasserfüllt oder irreführend ist",
    },
    time: "Zeit",
    transactions: "Buchungen",
    transactionsLead: "Aufladungen, Kosten, Auszahlungen und Erstattungen, die neuesten zuerst.",
  },
} satisfies Translation<typeof english>;
