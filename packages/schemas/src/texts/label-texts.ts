/**
 * The statement of a label, with the words of Article 50(4) of Regulation (EU) 2024/1689 in that language,
 * and the text of its link. Other languages show English.
 */
export const labelTexts = {
  en: {
    statement: "This image has been artificially generated or manipulated.",
    link: "Verify the image",
  },
  de: {
    statement: "Dieses Bild wurde künstlich erzeugt oder manipuliert.",
    link: "Bild prüfen",
  },
  fr: {
    statement: "Cette image a été générée ou manipulée par une IA.",
    link: "Vérifier l’image",
  },
  es: {
    statement: "Esta imagen ha sido generada o manipulada de manera artificial.",
    link: "Verificar la imagen",
  },
  it: {
    statement: "Questa immagine è stata generata o manipolata artificialmente.",
    link: "Verifica l’immagine",
  },
} as const;
