import type { texts as english } from "../../../texts/keys.ts";
import type { Translation } from "../../translation.ts";
import { texts as shared } from "../texts.ts";
import { plural } from "../plural.ts";

/** A text within a sentence: "Pro Monat" becomes "pro Monat". */
function within(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

export const texts = {
  ...shared,
  keys: {
    allModels: "Alle Modelle",
    available: (amount: string) => `${amount} noch verfügbar:`,
    bindings: {
      budget: "Budget des Schlüssels",
      shared: "gemeinsames Budget",
      balance: "Guthaben des Kontos",
    },
    budget: "Budget",
    budgetEur: "Betrag (EUR)",
    budgetPeriod: "Zeitraum",
    budgetUsed: (name: string) => `Verbrauchtes Budget von ${name}`,
    copy: "Schlüssel kopieren",
    create: "Schlüssel erstellen",
    edit: "Bearbeiten",
    editOwn:
      "Mit diesem Schlüssel sind Sie angemeldet: Seine Berechtigungen und sein Ende gelten auch hier.",
    editName: (name: string) => `„${name}“ bearbeiten`,
    empty: "Keine Schlüssel",
    emptyHint: "Ein Programm oder ein Assistent nutzt den Dienst mit einem eigenen Schlüssel.",
    endsWith: (last: string) => `Endet auf ${last}`,
    everyModel: "Alle",
    expires: "Läuft ab",
    gone: "Dieser Schlüssel wurde inzwischen widerrufen. Schließen Sie den Dialog, um die aktuelle Liste zu sehen.",
    hasBudget: "Kosten seiner Aufträge begrenzen",
    hasBudgetHint: "Ohne Budget ist das Guthaben des Kontos die Grenze.",
    hideEnded: "Widerrufene und abgelaufene Schlüssel ausblenden",
    incompleteDay: "Ergänzen Sie das Datum, oder leeren Sie es für einen Schlüssel ohne Ende.",
    lastDay: "Letzter Tag",
    lastDayHint:
      "Nach diesem Tag (UTC) wird der Schlüssel abgewiesen. Leer: Er gilt, bis er widerrufen wird.",
    lastUsed: "Zuletzt verwendet",
    lead: "Geben Sie jedem Programm und jedem Assistenten einen eigenen Schlüssel, mit nicht mehr Rechten und Geld als nötig.",
    mayNotAct: "Ihre Berechtigungen umfassen Änderungen an diesem Schlüssel nicht.",
    minted: (name: string) => `Der Schlüssel „${name}“`,
    models: "Modelle",
    name: "Name",
    nameHint: "Steht in Listen, etwa: Claude auf meinem Laptop.",
    never: "Nie",
    noSharedBudget: "Keines",
    noBudget: "Kein eigenes Budget",
    ofBudget: (amount: string, period: string) => `von ${amount} ${within(period)}`,
    ownKey: "Damit sind Sie angemeldet",
    onlyModels: "Nur diese Modelle",
    pastDay: "Dieser Tag ist vorbei. Wählen Sie heute oder einen späteren Tag.",
    periods: { total: "Insgesamt", day: "Pro Tag", month: "Pro Monat" },
    ended: ({ keys, webhooks, sessions }: { keys: number; webhooks: number; sessions: number }) =>
      `Damit beendet: Schlüssel ${keys}, Webhooks ${webhooks}, Sitzungen ${sessions}.`,
    revoke: "Widerrufen",
    revokeName: (name: string) => `„${name}“ widerrufen`,
    revokeOwn: "Mit diesem Schlüssel sind Sie angemeldet: Ihre Sitzung endet auch.",
    revokeText:
      "Programme mit diesem Schlüssel werden ab sofort abgewiesen, und mit ihm endet, was er erstellt hat: Schlüssel, Webhooks und Sitzungen. Seine Aufträge laufen noch zu Ende. Das lässt sich nicht rückgängig machen.",
    rotate: "Erneuern",
    rotateName: (name: string) => `„${name}“ erneuern`,
    rotateOwn:
      "Der Schlüssel bekommt ein neues Geheimnis. Seine Grenzen und sein Verbrauch bleiben. Mit diesem Schlüssel sind Sie angemeldet und bleiben es auch mit dem neuen Geheimnis.",
    rotateText:
      "Der Schlüssel bekommt ein neues Geheimnis. Seine Grenzen und sein Verbrauch bleiben.",
    scopes: "Berechtigungen",
    scopeTexts: {
      generate: {
        name: shared.problem.scopes.generate,
        hint: "Bilder und Geschichten erstellen und diese Aufträge lesen",
      },
      read: {
        name: shared.problem.scopes.read,
        hint: "Alle Aufträge, den Verbrauch und die Buchungen lesen",
      },
      manage: {
        name: shared.problem.scopes.manage,
        hint: "Schlüssel, Mitglieder, Budgets, Webhooks und Einstellungen des Kontos",
      },
    },
    sharedBudget: "Gemeinsames Budget",
    sharedBudgetHint: "Die Aufträge zählen auch in diesem Budget.",
    spentBelow: (spent: string) =>
      `Verbraucht sind schon ${spent}: Darunter kann er nichts anfragen.`,
    spentSoFar: (spent: string) => `Verbraucht sind bisher ${spent}.`,
    startsAgain: (time: string) => `Der nächste Zeitraum beginnt: ${time}.`,
    showEnded: (count: number) =>
      plural(count, {
        one: "1 widerrufenen oder abgelaufenen Schlüssel zeigen",
        other: `${count} widerrufene oder abgelaufene Schlüssel zeigen`,
      }),
    states: { revoked: "Widerrufen", expired: "Abgelaufen" },
  },
} satisfies Translation<typeof english>;
