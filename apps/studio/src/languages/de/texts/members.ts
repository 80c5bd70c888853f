import type { texts as english } from "../../../texts/members.ts";
import type { Translation } from "../../translation.ts";
import { plural } from "../plural.ts";
import { texts as shared } from "./secret.ts";

export const texts = {
  ...shared,
  members: {
    copy: "Link kopieren",
    disable: "Sperren",
    disableName: (name: string) => `${name} sperren`,
    disableText:
      "Diese Person wird ab sofort abgewiesen: Alle Sitzungen und geteilten Links enden, ebenso die Schlüssel und Webhooks, die sie erstellt hat. Übergeben Sie diese vorher, um sie zu behalten. Ihre Aufträge laufen noch zu Ende.",
    disableTextWithoutKeys:
      "Diese Person wird ab sofort abgewiesen: Alle Sitzungen und geteilten Links enden. Ihre Aufträge laufen noch zu Ende.",
    disableSelf: "Das sind Sie: Sie werden abgemeldet.",
    disabled: "Gesperrt",
    edit: "Bearbeiten",
    editName: (name: string) => `${name} bearbeiten`,
    email: "E-Mail-Adresse (freiwillig)",
    emailHint:
      "Es wird keine E-Mail gesendet. Mit einem Anmeldedienst kann sich die Person mit dieser Adresse ohne den Link anmelden.",
    empty: "Keine Mitglieder",
    emptyHint:
      "Wer eingeladen ist, meldet sich unter dem eigenen Namen an, ohne API-Schlüssel. Laden Sie zuerst sich selbst als Inhaber ein.",
    enable: "Entsperren",
    enableName: (name: string) => `${name} entsperren`,
    enableText: (name: string) =>
      `Ein neuer Link wird erstellt, der ${name} einmal anmeldet und 24 Stunden lang gilt. Beendete Schlüssel und Webhooks kehren nicht zurück.`,
    ended: ({ keys, webhooks, sessions }: { keys: number; webhooks: number; sessions: number }) =>
      `Beendet: Schlüssel ${keys}, Webhooks ${webhooks}, Sitzungen ${sessions}.`,
    gone: "Dieses Mitglied wurde inzwischen entfernt. Schließen Sie den Dialog, um die aktuelle Liste zu sehen.",
    handOver: "Übergeben",
    handOverName: (name: string) => `Übergeben, was ${name} erstellt hat`,
    handOverKeys: (names: string) => `Schlüssel: ${names}.`,
    handOverNoKeys: "Keine gültigen Schlüssel.",
    handOverText:
      "Die Schlüssel und Webhooks, die diese Person erstellt hat, gehören ab dann der anderen. Programme arbeiten damit weiter; erneuern Sie Schlüssel, die diese Person kennt.",
    handOverTo: "An",
    handed: ({ name, keys, webhooks }: { name: string; keys: number; webhooks: number }) =>
      `An ${name} übergeben: Schlüssel ${keys}, Webhooks ${webhooks}.`,
    invite: "Mitglied einladen",
    invited: "Eingeladen",
    invitedAt: "Eingeladen",
    keysStay: (name: string, keys: string) =>
      `${name} behält diese Schlüssel, sieht sie als Gestalter aber nicht mehr: ${keys}. Sie enden, wenn diese Person gesperrt wird. Übergeben Sie sie vorher, um sie zu behalten.`,
    lastSeen: "Zuletzt gesehen",
    lead: "Personen, die sich unter ihrem eigenen Namen bei Studio anmelden. Die Rolle legt fest, was sie dürfen.",
    limitsEnd: (name: string) =>
      `Nur Gestalter haben Budgets und begrenzte Modelle: Die von ${name} werden beim Speichern entfernt.`,
    link: "Neuer Link",
    linkCopied: "Der Link ist in der Zwischenablage.",
    linkName: (name: string) => `Neuer Link für ${name}`,
    linkOnce: (name: string) =>
      `Geben Sie ihn an ${name} weiter, auf einem Weg, dem Sie vertrauen. Er gilt einmal und 24 Stunden lang. Er wird nur jetzt gezeigt.`,
    linkText:
      "Er meldet diese Person einmal an und gilt 24 Stunden lang. Geben Sie ihn selbst weiter, auf einem Weg, dem Sie vertrauen.",
    linkTitle: (name: string) => `Der Link für ${name}`,
    name: "Name",
    never: "Nie",
    onlyHigher: "Nur ein Mitglied mit einer höheren Rolle kann dieses ändern.",
    ownBudget: "Eigenes Budget",
    remove: "Entfernen",
    removeName: (name: string) => `${name} entfernen`,
    removeText:
      "Diese Person wird gesperrt, ihr Name und ihre E-Mail-Adresse werden gelöscht. Aufträge bleiben beim Konto; ihr Verbrauch steht unter „removed member“. Das lässt sich nicht rückgängig machen.",
    role: "Rolle",
    roles: {
      owner: { name: "Inhaber", hint: "Alles, mit den Einstellungen und allen Mitgliedern" },
      manager: { name: "Verwalter", hint: "Schlüssel, Budgets, Webhooks und Gestalter" },
      maker: { name: "Gestalter", hint: "Erstellt Bilder und Geschichten" },
    },
    self: "Sie",
    sharedBudget: "Gemeinsames Budget",
    showDisabled: (count: number) =>
      plural(count, {
        one: "1 gesperrtes Mitglied zeigen",
        other: `${count} gesperrte Mitglieder zeigen`,
      }),
    hideDisabled: "Gesperrte Mitglieder ausblenden",
  },
} satisfies Translation<typeof english>;
