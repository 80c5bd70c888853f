import type { texts as english } from "../../../texts/webhooks.ts";
import type { Translation } from "../../translation.ts";
import { texts as shared } from "../texts.ts";
import { plural } from "../plural.ts";

export const texts = {
  ...shared,
  webhooks: {
    all: "Zu allen Webhooks",
    attempts: (count: number) => plural(count, { one: "1 Versuch", other: `${count} Versuche` }),
    copySecret: "Geheimnis kopieren",
    create: "Webhook erstellen",
    created: "Das Geheimnis des Webhooks",
    createdAt: "Erstellt",
    delete: "Löschen",
    deleteOf: (url: string) => `${url} löschen`,
    deleteText:
      "Der Webhook sendet nichts mehr, und seine Zustellungen verschwinden aus der Liste. Das lässt sich nicht rückgängig machen.",
    deliveries: "Zustellungen",
    delivery: "Zustellung",
    deliveriesLead:
      "Die Ereignisse der letzten 7 Tage. Eine gescheiterte Zustellung wird 24 Stunden lang in wachsenden Abständen wiederholt.",
    description: "Beschreibung",
    descriptionHint: "Steht in Listen. Darf leer sein.",
    disable: "Ausschalten",
    disabled: "Ausgeschaltet",
    disabledReasons: {
      account: "Ausgeschaltet",
      failing: "Nach fünf Tagen mit Fehlern ausgeschaltet",
      key_revoked: "Beendet: Sein Schlüssel wurde widerrufen",
      key_expired: "Beendet: Sein Schlüssel ist abgelaufen",
      key_not_permitted: "Angehalten: Seinem Schlüssel fehlt eine Berechtigung",
    },
    disabledHint:
      "Der Webhook ist ausgeschaltet. Schalten Sie ihn ein, um neue Ereignisse zu erhalten.",
    edit: "Bearbeiten",
    empty: "Noch keine Webhooks",
    emptyHint: "Ein Webhook sendet Ereignisse an Ihren Server, etwa das Ende eines Auftrags.",
    enable: "Einschalten",
    enabled: "Eingeschaltet",
    event: "Ereignis",
    events: "Ereignisse",
    eventTexts: {
      "job.updated": "Ein Auftrag wurde angenommen oder begonnen",
      "job.image_completed": "Ein Bild eines Auftrags wurde erstellt",
      "job.completed": "Ein Auftrag wurde fertiggestellt und berechnet",
      "job.failed": "Ein Auftrag scheiterte; nichts wurde berechnet",
      "job.cancelled": "Ein Auftrag wurde abgebrochen; nichts wurde berechnet",
      "account.balance_low": "Das Guthaben fiel unter die Grenze des Kontos",
      "batch.completed": "Jede Zeile eines Stapels wurde beendet",
      "budget.low": "Ein gemeinsames Budget wurde zu 80 % verbraucht",
    },
    failingSince: (time: string) => `Scheitert seit ${time}`,
    lead: "Ereignisse gehen als signierte Anfragen an Ihren Server, mindestens einmal und für jeden Auftrag in der richtigen Reihenfolge.",
    missing: "Diesen Webhook gibt es nicht.",
    missingHint:
      "Er wurde gelöscht, gehört zu einem anderen Konto, oder seine Adresse ist unvollständig.",
    nextAttempt: (time: string) => `Nächster Versuch: ${time}`,
    noDeliveries: "Noch nichts gesendet",
    noDeliveriesHint: "Senden Sie ein Testereignis, um zu sehen, ob Ihr Server es empfängt.",
    notTried: "Noch nicht versucht",
    privateHost: (host: string) =>
      `Für einen Server im eigenen Netz setzt der Betreiber WEBHOOK_PRIVATE_HOSTS=${host}.`,
    resend: "Noch einmal senden",
    resendOf: (type: string, time: string) => `${type} vom ${time} noch einmal senden`,
    retrying: "Wird wiederholt",
    responded: (status: number) => `Status ${status}`,
    rotate: "Geheimnis erneuern",
    rotated: "Das neue Geheimnis des Webhooks",
    rotateText: "Bis das alte Geheimnis endet, tragen Anfragen die Signaturen von beiden.",
    secretText: "Ihr Server prüft damit die Signatur jeder Anfrage (Standard Webhooks).",
    state: "Zustand",
    states: { delivered: "Zugestellt", pending: "Ausstehend", failed: "Gescheitert" },
    test: "Testereignis senden",
    url: "URL",
    urlHint: "Eine öffentliche HTTPS-Adresse Ihres Servers.",
  },
} satisfies Translation<typeof english>;
