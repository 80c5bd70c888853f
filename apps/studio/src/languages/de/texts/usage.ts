import type { texts as english } from "../../../texts/usage.ts";
import type { Translation } from "../../translation.ts";
import { texts as shared } from "../texts.ts";
import { plural } from "../plural.ts";

export const texts = {
  ...shared,
  usage: {
    by: (group: string) => `Nach ${group}`,
    chart: (measure: string) => `${measure} pro Tag. Die Pfeiltasten wechseln zwischen den Tagen.`,
    choosePeriod: "Zeitraum wählen",
    cost: "Kosten",
    csv: "CSV exportieren",
    days: (count: string) => `${count} Tage`,
    empty: "In diesem Zeitraum ist nichts entstanden",
    emptyHint: "Fertige Aufträge und ihre Kosten erscheinen hier nach wenigen Sekunden.",
    failed: "Gescheitert",
    from: "Erster Tag",
    groupBy: "Zeilen",
    groups: {
      day: "Tag",
      model: "Modell",
      key: "Schlüssel oder Person",
      budget: "Budget",
      kind: "Art",
    },
    hidden: "Ihre Berechtigungen umfassen den Verbrauch des Kontos nicht.",
    highest: (measure: string, value: string) => `${measure}, höchstens ${value} an einem Tag`,
    images: "Bilder",
    jobs: "Aufträge",
    keyWithId: (id: string) => `Schlüssel …${id}`,
    kinds: { image: "Bilder", story: "Geschichten" },
    lead: "Was in einem Zeitraum fertig wurde und was es gekostet hat. Die Summen stimmen auf den Cent mit dem Kontoauszug überein.",
    left: (left: string, limit: string) => `${left} von ${limit} übrig`,
    leftOf: (policy: string) => `Übrig: ${policy}`,
    limits: "Anfragen pro Minute",
    limitsLead:
      "Was der Schlüssel, mit dem Sie angemeldet sind, jetzt noch senden darf. Weitere Anfragen werden mit 429 abgelehnt, bis die Grenze wieder aufgefüllt ist.",
    measure: "Balken",
    measures: { cost: "Kosten", images: "Bilder", jobs: "Aufträge" },
    ofJobs: (images: number, jobs: number) =>
      `${plural(images, { one: "1 Bild", other: `${images} Bilder` })} aus ${plural(jobs, { one: "1 Auftrag", other: `${jobs} Aufträgen` })}`,
    ownPeriod: "Anderer Zeitraum …",
    period: "Zeitraum",
    policies: { generate: "Bilder und Geschichten", other: "Andere Anfragen" },
    range: (from: string, to: string) => `${from} – ${to}`,
    reversed: "Der erste Tag darf nicht nach dem letzten liegen.",
    share: "Anteil",
    show: "Zeigen",
    statement: "Kontoauszug",
    table: (group: string) => `Verbrauch nach ${group}`,
    to: "Letzter Tag",
    total: "Summe",
    noBudget: "Ohne gemeinsames Budget",
    unknownKey: "Bevor Schlüssel erfasst wurden",
    utc: "Tage beginnen um Mitternacht UTC. Ein Auftrag zählt zu dem Tag, an dem er endete.",
    year: "1 Jahr",
  },
} satisfies Translation<typeof english>;
