import type { texts as english } from "../../../texts/assist.ts";
import type { Translation } from "../../translation.ts";
import { texts as shared } from "../texts.ts";

export const texts = {
  ...shared,
  assist: {
    added: (parts: string) => `Ergänzt: ${parts}`,
    asking: "Der Assistent wird gefragt. Das kann eine Minute dauern …",
    choose: "Wählen Sie einen, um ihn ins Formular zu übernehmen. Es wird noch nichts erzeugt.",
    draft: "Geschichte entwerfen",
    drafting: "Der Assistent entwirft die Geschichte. Das kann eine Minute dauern …",
    idea: "Ihre Geschichte in einem Satz",
    ideaPlaceholder: "Ein schüchterner Fuchs lernt singen",
    language: "Sprache der Texte",
    problems: {
      busy: "Zwei Ihrer Anfragen warten schon auf den Assistenten. Versuchen Sie es danach noch einmal.",
      declined:
        "Der Assistent hat diesen Text abgelehnt. Ändern Sie ihn, oder schreiben Sie ohne den Assistenten.",
      limit: (perDay: number, time: string) =>
        `Ihr Konto darf den Assistenten ${perDay}-mal in Folge nutzen, danach ${perDay}-mal über einen Tag verteilt. Das nächste Mal geht es ab ${time}.`,
      off: "Dieser Dienst hat keinen Assistenten mehr. Laden Sie die Seite neu.",
      refused: "Dieser Text wurde abgelehnt. Ändern Sie ihn.",
      unavailable: "Der Assistent antwortet zurzeit nicht. Versuchen Sie es später noch einmal.",
      unusable:
        "Die Antwort des Assistenten ist nicht verwendbar. Versuchen Sie es noch einmal, oder ändern Sie den Text.",
      withheld:
        "Die Antwort des Assistenten verstößt gegen die Richtlinien und wird nicht gezeigt. Ändern Sie den Text, oder versuchen Sie es noch einmal.",
    },
    scenes: "Anzahl der Szenen",
    sentTo:
      "Der Text geht an ein Sprachmodell, das der Betreiber dieses Dienstes gewählt hat. Es kostet Sie nichts.",
    start: "Mit einem Satz beginnen",
    startHint:
      "Der Assistent schreibt Figuren, Orte und Szenen ins Formular. Sie können alles ändern, und es wird noch nichts erzeugt.",
    style: "Stil",
    stylePlaceholder: "Aquarell",
    suggestions: "Vorgeschlagene Prompts",
    used: "Der Vorschlag steht im Formular.",
  },
} satisfies Translation<typeof english>;
