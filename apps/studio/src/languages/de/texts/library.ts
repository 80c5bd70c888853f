import type { texts as english } from "../../../texts/library.ts";
import type { Translation } from "../../translation.ts";
import { texts as shared } from "../texts.ts";
import { plural } from "../plural.ts";

export const texts = {
  ...shared,
  library: {
    after: (duration: string) => `, nach ${duration}`,
    again: "Noch einmal",
    all: "Alle",
    allCollections: "Alle Sammlungen",
    cancel: "Auftrag abbrechen",
    cancelAll: "Alle abbrechen",
    cancelAllHint:
      "Wartende und laufende Aufträge werden abgebrochen, auch die anderer Schlüssel und die, die der Filter ausblendet. Sie werden nicht berechnet. Aufträge, deren einziges Bild schon entsteht, werden noch fertig und berechnet.",
    cancelAllTitle: "Alle laufenden Aufträge abbrechen?",
    cancelHint: (images: number) =>
      plural(images, {
        one: "Es wird nichts berechnet. Sobald sein Bild entsteht, lässt sich der Auftrag nicht mehr abbrechen.",
        other:
          "Es wird nichts berechnet. Ein Bild, das gerade entsteht, wird noch fertig und dann verworfen.",
      }),
    cancelledAll: (jobs: { cancelled: number; stopping: number; left: number }) =>
      [
        plural(jobs.cancelled, {
          one: "1 Auftrag abgebrochen.",
          other: `${jobs.cancelled} Aufträge abgebrochen.`,
        }),
        jobs.stopping > 0 && `${jobs.stopping} nach dem Bild, das gerade entsteht.`,
        jobs.left > 0 &&
          plural(jobs.left, {
            one: "1 war zu weit, um ihn abzubrechen.",
            other: `${jobs.left} waren zu weit, um sie abzubrechen.`,
          }),
      ]
        .filter((part) => part !== false)
        .join(" "),
    cancelNamed: (title: string) => `${title} abbrechen`,
    cancelShort: "Abbrechen",
    cancelTitle: "Diesen Auftrag abbrechen?",
    clear: "Filter zurücksetzen",
    collection: "Sammlung",
    collectionName: "Name",
    collectionOption: (name: string, jobs: number) => `${name} (${jobs})`,
    compare: "Vergleichen",
    copyHash: (format: string) => `SHA-256 der ${format}-Datei kopieren`,
    copyId: "Kennung des Auftrags kopieren",
    copyRequest: "Anfrage kopieren",
    cost: "Kosten",
    createAction: "Erstellen",
    createCollection: "Neue Sammlung",
    deleteCollection: "Sammlung löschen",
    deleteCollectionHint: "Ihre Aufträge und deren Bilder bleiben in der Bibliothek.",
    deleteCollectionTitle: (name: string) => `Die Sammlung „${name}“ löschen?`,
    deleted: (count: number) =>
      plural(count, { one: "Bild gelöscht", other: `${count} Bilder gelöscht` }),
    deleteHint: (count: number) =>
      plural(count, {
        one: "Es lässt sich nicht wiederherstellen. Anfrage, Kosten und Hash bleiben, damit eine Kopie weiterhin erkannt wird.",
        other:
          "Sie lassen sich nicht wiederherstellen. Anfragen, Kosten und Hashes bleiben, damit Kopien weiterhin erkannt werden.",
      }),
    deletedJobs: (count: number) =>
      plural(count, {
        one: "Die Bilder von 1 Auftrag wurden gelöscht.",
        other: `Die Bilder von ${count} Aufträgen wurden gelöscht.`,
      }),
    deleteSelected: "Löschen",
    deleteImages: (count: number) =>
      plural(count, { one: "Bild löschen", other: `${count} Bilder löschen` }),
    deleteTitle: (count: number) =>
      plural(count, { one: "Dieses Bild löschen?", other: `${count} Bilder löschen?` }),
    download: "Herunterladen",
    dropFile: "Die Datei hier ablegen, um ihren Auftrag zu finden",
    empty: "Noch keine Bilder",
    emptyHint:
      "Hier erscheint jedes Bild und jede Geschichte dieses Kontos, mit Anfrage, Kosten und Dateien.",
    events: "Ereignisse",
    expired: "Die Dateien dieses Bildes werden nicht mehr aufbewahrt.",
    expiredHint:
      "Der Eintrag und der Hash bleiben. Eine Kopie der Datei lässt sich weiterhin damit prüfen.",
    fewer: "Weniger Filter",
    files: "Dateien",
    filterCount: (count: number) => (count === 0 ? "Filter" : `Filter: ${count}`),
    filters: "Filter",
    from: "Von",
    findFile: "Nach Datei suchen",
    hash: "SHA-256 einer Datei",
    hashInsecure:
      "Browser berechnen Hashes nur über HTTPS. Fügen Sie den SHA-256 der Datei unter „Mehr Filter“ ein.",
    hashPlaceholder: "64 Zeichen, oder die Datei ablegen",
    hashProblem: "Ein SHA-256 hat 64 Zeichen von 0 bis 9 und a bis f.",
    hashTooLarge: "Diese Datei ist größer als 200 MB: Dieser Dienst hat sie nicht erstellt.",
    hashUnreadable: "Die Datei konnte nicht gelesen werden. Wählen Sie sie noch einmal.",
    imageOf: (index: number, count: number) => `Bild ${index} von ${count}`,
    images: "Bilder",
    job: "Auftrag",
    jobs: "Aufträge",
    jobMissing: "Diesen Auftrag gibt es nicht.",
    jobMissingHint:
      "Er wurde gelöscht, gehört zu einem anderen Konto oder zu einem Schlüssel, dessen Aufträge Sie nicht sehen dürfen, oder seine Adresse ist unvollständig.",
    jobTitle: (operation: string, time: string) => `${operation}, ${time}`,
    jobUnread: "Dieser Auftrag kann nicht gezeigt werden.",
    keepAllRunning: "Weiterlaufen lassen",
    keepRunning: "Weiterlaufen lassen",
    keptUntil: "Aufbewahrt bis",
    key: "Schlüssel",
    keptFor: (time: string) =>
      `Bilder werden ${time} aufbewahrt. Behalten Sie, was Sie länger brauchen, oder laden Sie es herunter.`,
    keptJobs: (count: number) =>
      plural(count, {
        one: "Die Bilder von 1 Auftrag bleiben, bis Sie sie löschen.",
        other: `Die Bilder von ${count} Aufträgen bleiben, bis Sie sie löschen.`,
      }),
    keyName: (name: string, end: string) => `${name} (…${end})`,
    linksUntil: (time: string) => `Die Links zu diesen Dateien gelten bis ${time}.`,
    makeFirst: "Erstes Bild erstellen",
    metadata: "Metadaten",
    metadataPlaceholder: "order=A-1027",
    metadataProblem: "Schreiben Sie einen Namen und einen Wert, etwa order=A-1027.",
    model: "Modell",
    more: "Mehr Filter",
    newer: "Neuerer Auftrag",
    noFile: "Kein Auftrag dieses Kontos hat diese Datei erstellt",
    noFileHint:
      "Eine Kopie, die geändert oder neu gespeichert wurde, hat einen anderen Hash. „Bild prüfen“ findet viele davon an ihren Kennzeichen.",
    noMatch: "Kein Auftrag passt zu diesen Filtern",
    noMatchHints: {
      words:
        "Ein Auftrag muss alle Wörter enthalten; das letzte darf ein Anfang sein. Prüfen Sie die Schreibung oder nehmen Sie weniger Wörter.",
      metadata: "Metadaten müssen genau übereinstimmen.",
      other: "Ändern Sie einen Filter oder setzen Sie ihn zurück, um mehr Aufträge zu sehen.",
    },
    notKept: "Nicht mehr aufbewahrt",
    noSimilar: "Keine ähnlichen Bilder",
    noSimilarHint:
      "Verglichen wurden die neuesten 10.000 Bilder des Kontos, nach ihren Formen und ihrem Licht.",
    nothingStarred: "Noch nichts hat einen Stern",
    nothingStarredHint: "Geben Sie einem Auftrag einen Stern, um ihn hier zu finden.",
    emptyCollection: "Diese Sammlung ist leer",
    emptyCollectionHint:
      "Wählen Sie in der Bibliothek Aufträge aus und fügen Sie sie hinzu, oder nutzen Sie das Menü eines Bildes.",
    nothingCharged: "Es wurde nichts berechnet.",
    older: "Älterer Auftrag",
    operation: "Art",
    changed: (kind: string, prompt: string) => `${kind}: ${prompt}`,
    operations: {
      image: "Bild",
      story: "Geschichte",
      scene: "Szene",
      edit: "Bearbeitung",
      combine: "Kombination",
      graphic: "Grafik",
      diagram: "Diagramm",
      upscale: "Vergrößertes Bild",
      "remove-background": "Freigestelltes Bild",
      outpaint: "Erweitertes Bild",
      erase: "Bild mit entferntem Teil",
      vectorize: "Nachgezeichnetes Bild",
      variations: "Varianten",
    },
    pixels: "Pixel",
    progress: (done: number, count: number) => `${done} von ${count} Bildern fertig`,
    provenance: "Herkunft",
    render: (role: string, name: string | null, position: number) => {
      const roles: Readonly<Record<string, string>> = {
        portrait: "Porträt",
        state: "Porträt",
        location: "Ort",
        scene: "Szene",
      };
      return `${roles[role] ?? "Bild"} ${name ?? position}`;
    },
    rename: "Umbenennen",
    renameCollection: "Sammlung umbenennen",
    renameHint:
      "Wird anstelle des Prompts gezeigt und gefunden. Leer: Der Prompt wird wieder gezeigt.",
    renameTitle: "Auftrag umbenennen",
    request: "Anfrage",
    requested: "Angefragt",
    running: (count: number, hasMore: boolean) =>
      hasMore
        ? `Mehr als ${count} laufende Aufträge`
        : plural(count, { one: "1 laufender Auftrag", other: `${count} laufende Aufträge` }),
    scene: (position: number, title: string) => `Szene ${position}: ${title}`,
    seed: "Seed",
    select: "Auswählen",
    selectAll: "Alle auswählen",
    selectDone: "Fertig",
    selected: (count: number) => `${count} ausgewählt`,
    selection: "Ausgewählte Aufträge",
    shape: "Format und Größe",
    shelf: "Sterne und Sammlungen",
    shown: (count: number, formatted: string, hasMore: boolean) => {
      const jobs = plural(count, { one: "1 Auftrag", other: `${formatted} Aufträge` });
      return hasMore ? `${jobs}, weitere beim Blättern` : jobs;
    },
    similar: "Ähnliche Bilder",
    similarEnd: "Ähnliche Bilder: diesen Filter entfernen",
    similarUnknown: "Das Bild zum Vergleichen ist nicht bekannt",
    similarUnknownHint:
      "Sein Auftrag gehört vielleicht zu einem anderen Konto oder wurde entfernt. Wählen Sie ein anderes Bild.",
    star: (title: string) => `Stern: ${title}`,
    starred: "Mit Stern",
    starredJobs: (count: number) =>
      plural(count, {
        one: "1 Auftrag hat jetzt einen Stern.",
        other: `${count} Aufträge haben jetzt einen Stern.`,
      }),
    starredNotKept: (count: number) =>
      plural(count, {
        one: "Für 1 davon ist der Platz für behaltene Bilder aufgebraucht.",
        other: `Für ${count} davon ist der Platz für behaltene Bilder aufgebraucht.`,
      }),
    started: "Begonnen",
    states: {
      pending: "In der Warteschlange",
      processing: "In Arbeit",
      completed: "Fertig",
      failed: "Gescheitert",
      cancelled: "Abgebrochen",
    },
    status: "Status",
    stopping: "Endet nach dem aktuellen Bild",
    title: "Titel",
    to: "Bis",
    tooLarge: (format: string) =>
      `Als ${format} haben diese Bilder mehr als 2 GB, so viel passt in ein ZIP. Wählen Sie weniger aus oder ein anderes Format.`,
    toAll: "Zur Bibliothek",
    toBoard: "Geschichte öffnen",
    toVerify: "Nachweise ansehen",
    unread: "Die Aufträge können nicht gezeigt werden.",
    waitFor: (wait: string) => `Beginnt in etwa ${wait}`,
    words: "Suche",
    wordsPlaceholder: "Wörter des Prompts",
    workedThrough: (done: number, count: number) => `${done} von ${count} erledigt`,
    zip: "ZIP herunterladen",
    zipAs: (format: string) => `ZIP mit ${format}`,
    zipping: "Wird heruntergeladen …",
  },
} satisfies Translation<typeof english>;
