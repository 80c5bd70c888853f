import type { texts as english } from "../../../texts/budgets.ts";
import type { Translation } from "../../translation.ts";
import { texts as shared } from "../texts.ts";

export const texts = {
  ...shared,
  budgets: {
    create: "Budget erstellen",
    delete: "Löschen",
    deleteName: (name: string) => `„${name}“ löschen`,
    deleteText:
      "Seine unfertigen Aufträge laufen weiter und werden berechnet. Das lässt sich nicht rückgängig machen.",
    disabled: (name: string) => `${name} (gesperrt)`,
    edit: "Bearbeiten",
    editName: (name: string) => `„${name}“ bearbeiten`,
    empty: "Keine gemeinsamen Budgets",
    emptyHint: "Ein Budget begrenzt, was die Aufträge mehrerer Schlüssel zusammen kosten.",
    eur: "Betrag (EUR)",
    eurHint: "Ein kleinerer Betrag gilt nur für neue Anfragen.",
    expired: (name: string) => `${name} (abgelaufen)`,
    gone: "Dieses Budget wurde inzwischen gelöscht. Schließen Sie den Dialog, um die aktuelle Liste zu sehen.",
    held: (amount: string) => `Davon ${amount} für unfertige Aufträge reserviert.`,
    keys: "Schlüssel und Personen",
    lead: "Begrenzen Sie, was die Aufträge mehrerer Schlüssel zusammen kosten, neben dem Budget jedes Schlüssels. Fügen Sie einem Budget Schlüssel auf der Seite Schlüssel hinzu und Gestalter auf der Seite Mitglieder.",
    name: "Name",
    nameHint: "Steht in Ablehnungen, etwa: Design-Team.",
    noKeys: "Keine",
    of: (amount: string, period: string) =>
      `von ${amount} ${period.charAt(0).toLowerCase()}${period.slice(1)}`,
    period: "Zeitraum",
    periodHint:
      "Der Zeitraum lässt sich später nicht ändern. Er beginnt um Mitternacht UTC, eine Woche am Montag.",
    periods: { total: "Insgesamt", day: "Pro Tag", week: "Pro Woche", month: "Pro Monat" },
    startsAgain: (time: string) => `Es beginnt neu am ${time}.`,
    used: (name: string) => `Verbrauchtes Budget ${name}`,
  },
} satisfies Translation<typeof english>;
