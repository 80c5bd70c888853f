import type { texts as english } from "../../../texts/verify.ts";
import type { Translation } from "../../translation.ts";
import { texts as shared } from "../texts.ts";

export const texts = {
  ...shared,
  verify: {
    another: "Anderes Bild prüfen",
    basis: "Worauf das beruht",
    changes: {
      changed:
        "Diese Datei wurde nach ihrer Entstehung geändert. Was sie zeigt, kann vom Original abweichen.",
      copy: "Das ist eine Kopie, nicht die ausgelieferte Datei. Was sie zeigt, kann in Teilen vom Original abweichen.",
    },
    checking: "Das Bild wird nach Kennzeichen durchsucht …",
    choose: "Bild wählen",
    contradiction:
      "Laut der Datei hat eine Kamera oder ein Mensch dieses Bild gemacht. Das widerspricht dem Eintrag dieses Dienstes: Eines von beiden ist falsch, oder es ist die Fotografie eines Bildes, das hier entstanden ist.",
    counts: "(zählt)",
    created: "Entstanden",
    damaged:
      "Die Datei ist beschädigt oder hat mehr als 40 Megapixel. Wählen Sie die Originaldatei.",
    details: "Technische Einzelheiten",
    drop: "Ein Bild hierher ziehen oder einfügen",
    emptyFile: "Diese Datei ist leer. Wählen Sie eine andere.",
    formats: "PNG, JPEG, WebP, AVIF, GIF oder SVG, bis 25 MB und 40 Megapixel",
    formatsDelivered: "Ausgeliefert als",
    hash: "SHA-256 einer Datei",
    hashButton: "Nachschlagen",
    hashHint:
      "Der Hash einer Datei findet nur genaue Kopien. Wer das Bild selbst prüft, findet mehr.",
    hashProblem: "Geben Sie die 64 Ziffern und Buchstaben (0-9, a-f) eines SHA-256 ein.",
    hashTitle: "Oder einen Hash nachschlagen",
    heic: "Das ist ein HEIC-Bild, wie iPhones sie machen, und lässt sich hier nicht prüfen. Speichern Sie es als JPEG und prüfen Sie das: Die Herkunftsangabe in der Datei geht dabei verloren, ein verstecktes Wasserzeichen in den Pixeln nicht.",
    layers: {
      manifest: {
        name: "Herkunftsangabe in der Datei",
        aside: "C2PA, Content Credentials",
        match:
          "Die Datei sagt, wie sie entstanden ist. Weder das Bild noch die Angabe wurden seitdem geändert.",
        noMatch:
          "Die Datei enthält keine Herkunftsangabe. Viele Plattformen entfernen sie, und Screenshots haben nie eine.",
        invalid:
          "Die Datei enthält eine Herkunftsangabe, aber das Bild oder die Angabe wurde danach geändert. Verlassen Sie sich nicht darauf.",
        notChecked: "Nicht geprüft.",
      },
      signature: {
        name: "Signatur der Herkunftsangabe",
        aside: "Wer dafür bürgt",
        match: (signer: string) => `Signiert von ${signer}. Dieser Dienst vertraut dem Signierer.`,
        untrusted: (signer: string) =>
          `Signiert von ${signer}. Dieser Dienst kennt den Signierer nicht: Eine solche Signatur kann jeder erzeugen.`,
        noMatch: "Ohne Herkunftsangabe gibt es keine Signatur.",
        invalid: "Die Signatur gilt nicht für die Datei, wie sie jetzt ist.",
        notChecked: "Nicht geprüft.",
      },
      watermark: {
        name: "Verstecktes Zeichen in den Pixeln",
        aside: "Wasserzeichen",
        match:
          "Die Pixel enthalten ein Wasserzeichen dieses Dienstes. Es übersteht die meisten Kopien, lässt sich aber auf ein anderes Bild übertragen.",
        noMatch:
          "Es ist kein Wasserzeichen dieses Dienstes lesbar. Starke Änderungen entfernen es, und andere Dienste verwenden andere.",
        invalid: "Das Wasserzeichen lässt sich nicht lesen.",
        notChecked:
          "Nicht geprüft: Das Bild ist zu klein oder beschädigt, es ist eine Zeichnung ohne Pixel (SVG), oder dieser Dienst verwendet kein Wasserzeichen.",
      },
      hash: {
        name: "Genau diese Datei im Register",
        aside: "SHA-256",
        match: "Byte für Byte ist das eine Datei, die dieser Dienst ausgeliefert hat.",
        noMatch:
          "Dieser Dienst hat genau diese Datei nicht ausgeliefert. Ein Bild neu zu speichern, ändert die Datei.",
        invalid: "Das Register lässt sich nicht lesen.",
        notChecked: "Nicht geprüft.",
      },
      fingerprint: {
        name: "Gleich aussehendes Bild im Register",
        aside: "Fingerabdruck",
        match:
          "Ein Bild, das dieser Dienst erstellt hat, sieht aus wie dieses. Das bestätigt ein Wasserzeichen; allein beweist es nichts, denn verschiedene Bilder können gleich aussehen.",
        noMatch:
          "Kein Bild dieses Dienstes sieht aus wie dieses. Ausschnitte und Drehungen werden nicht erkannt.",
        invalid: "Das Aussehen des Bildes lässt sich nicht vergleichen.",
        notChecked: "Nicht geprüft: Das Bild ist beschädigt oder eine Zeichnung ohne Pixel (SVG).",
      },
      xmp: {
        name: "Vermerk ohne Signatur",
        aside: "XMP",
        match:
          "Ein Vermerk in der Datei sagt, dass sie künstlich erzeugt ist. Er ist nicht signiert: Jeder kann ihn schreiben.",
        noMatch: "Die Datei hat keinen Vermerk, dass sie künstlich erzeugt ist.",
        invalid: "Der Vermerk lässt sich nicht lesen.",
        notChecked: "Nicht geprüft.",
      },
    },
    lead: "Woher kommt ein Bild? Diese Seite sucht nach den Kennzeichen, die es verraten. Das Bild wird nicht gespeichert.",
    makings: {
      trained_model: "Ein trainiertes Modell hat es ganz oder teilweise erstellt.",
      rules:
        "Es wurde nach Regeln gezeichnet, ohne trainiertes Modell, und ist als künstlich gekennzeichnet.",
      composite: "Es ist zusammengesetzt: Mindestens ein Teil davon ist künstlich erzeugt.",
    },
    model: "Modell",
    next: "Was Sie jetzt tun können",
    nextOf: {
      made_here: [
        "Sie dürfen sagen, dass dieses Bild künstlich ist: Eine Maschine hat es erstellt.",
        "Kennzeichnen Sie es als KI-erzeugt, wenn Sie es veröffentlichen, und bewahren Sie diese Datei mit ihren Kennzeichen auf.",
        "Eine Bildunterschrift oder ein eingefügter Text gehört nicht zu diesem Nachweis.",
      ],
      mark_copied: [
        "Schreiben Sie das Bild nicht diesem Dienst zu: Sein Wasserzeichen stammt von einem anderen Bild.",
        "Fragen Sie den Absender, woher das Bild kommt. Jemand wollte, dass es wie hier erstellt aussieht.",
        "Bewahren Sie die Datei unverändert auf: Sie ist der Nachweis des kopierten Wasserzeichens.",
      ],
      mark_found: [
        "Bitten Sie den Absender um die Originaldatei, wie sie heruntergeladen wurde: keinen Screenshot, keinen Ausschnitt.",
        "Prüfen Sie das Original hier. Sein Aussehen oder eine Signatur würde das Wasserzeichen bestätigen.",
        "Schreiben Sie das Bild bis dahin niemandem zu: Ein Wasserzeichen lässt sich auf ein anderes Bild übertragen.",
      ],
      ai_generated: [
        "Lesen Sie, wer die Herkunftsangabe signiert hat. Ohne vertrauenswürdige Signatur kann sie gefälscht sein.",
        "Fragen Sie den genannten Dienst, ob er das Bild erstellt hat.",
        "Öffnen Sie die Datei in einem anderen C2PA-Leser, etwa Content Credentials Verify, und vergleichen Sie.",
      ],
      similar_found: [
        "Schreiben Sie das Bild nicht diesem Dienst zu: Ein Original und seine bearbeitete Kopie können gleich aussehen.",
        "Bitten Sie den Absender um die Originaldatei und prüfen Sie diese hier.",
        "Vergleichen Sie beide Bilder selbst: Kleine Unterschiede, etwa andere Ziffern, werden nicht bemerkt.",
      ],
      unknown: [
        "Bitten Sie den Absender um die Originaldatei: Messenger und Plattformen entfernen Kennzeichen.",
        "Fragen Sie, wo und wann das Bild entstanden ist, und suchen Sie mit einer Bildersuche nach früheren Kopien.",
        "Prüfen Sie es auf den Prüfseiten anderer Dienste: Jede liest nur ihre eigenen Kennzeichen.",
      ],
    },
    noSigner: "einem ungenannten Signierer",
    onlyHash: "Nicht geprüft: Es wurde nur ein Hash angegeben, nicht die Datei.",
    otherKind:
      "Das ist kein PNG-, JPEG-, WebP-, AVIF-, GIF- oder SVG-Bild. Wählen Sie eines, oder schlagen Sie den Hash der Datei nach.",
    photo: "Das geprüfte Bild",
    record: "Eintrag dieses Dienstes",
    results: {
      match: "Gefunden",
      no_match: "Nicht gefunden",
      invalid: "Beschädigt",
      not_checked: "Nicht geprüft",
    },
    label: "Kennzeichnung für eine Webseite",
    copyLabel: "Kennzeichnung kopieren",
    copiedRecord: "Das Bild dieses Dienstes, von dem das Wasserzeichen kopiert wurde:",
    similarRecord: "Das ähnliche Bild dieses Dienstes:",
    stays: "Diese Seite zeigt nie Namen, Prompt oder Konto der Person, die das Bild erstellt hat.",
    tooLarge: (size: string) =>
      `Diese Datei hat ${size}. Wählen Sie eine mit höchstens 25 MB, oder schlagen Sie ihren Hash nach.`,
    unreadable:
      "Die Datei wurde verschoben oder gelöscht, nachdem sie gewählt wurde. Wählen Sie sie noch einmal.",
    unread: "Das Bild konnte nicht geprüft werden.",
    verdicts: {
      made_here: {
        name: "Hier erstellt",
        meaning: "Dieser Dienst hat dieses Bild erstellt. Es ist künstlich.",
      },
      mark_copied: {
        name: "Das Wasserzeichen wurde kopiert",
        meaning:
          "Das Bild trägt das Wasserzeichen eines Bildes dieses Dienstes, zeigt aber etwas anderes. Jemand hat das Wasserzeichen darauf übertragen. Das sagt nichts darüber, wie dieses Bild entstanden ist.",
      },
      mark_found: {
        name: "Ein Wasserzeichen wurde gefunden",
        meaning:
          "Das Bild trägt ein Wasserzeichen dieses Dienstes, aber nichts anderes bestätigt es: Zu wenig davon lässt sich vergleichen, oder es wurde stark verändert. Wasserzeichen lassen sich auch auf andere Bilder übertragen.",
      },
      ai_generated: {
        name: "Von jemand anderem als künstlich gekennzeichnet",
        meaning:
          "Die Datei selbst sagt, dass eine Maschine sie erstellt hat. Dieser Dienst hat keinen Eintrag zu diesem Bild.",
      },
      similar_found: {
        name: "Ein ähnliches Bild wurde gefunden",
        meaning:
          "Das Bild sieht aus wie eines, das dieser Dienst erstellt hat. Das sagt nichts über seine Herkunft: Es kann die Fotografie sein, die hier bearbeitet wurde, oder ein anderes, ähnliches Bild.",
      },
      unknown: {
        name: "Nichts gefunden: kein Ergebnis",
        meaning:
          "Es wurde kein Kennzeichen gefunden. Das sagt nichts darüber, wie das Bild entstanden ist: Ein Modell kann es erstellt haben, und seine Kennzeichen können entfernt worden sein.",
      },
    },
  },
} satisfies Translation<typeof english>;
