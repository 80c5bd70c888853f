import { texts as shared } from "./stories.ts";

/** Texts of the pages of a story, and the shared texts. */
export const texts = {
  ...shared,
  book: {
    cover: "Cover",
    coverPicture: "Picture on the cover",
    earlier: (name: string) => `Move ${name} forward`,
    discardOlder: "Discard them",
    empty: "This story has no scenes",
    emptyHint: "A book needs scenes. Edit a copy of the story and add some.",
    hint: "Click a text to change it. Alt and an arrow key move a page. Every change is saved in your account while you type; the images of the story do not change.",
    imprint: "Last page",
    language: "Language of the texts",
    later: (name: string) => `Move ${name} back`,
    layout: "Texts of the pages",
    layouts: {
      below: "Below the pictures",
      beside: "Beside the pictures",
      over: "Over the pictures",
    },
    leaveOut: (name: string) => `Leave out ${name}`,
    leftOut: "Left out",
    moved: (scene: number, to: number, count: number) =>
      `Scene ${scene} is now on page ${to} of ${count}.`,
    noPicture: "No picture",
    older:
      "This browser has older changes that were not saved. The book was changed elsewhere since, so they were not used.",
    pageOf: (number: number) => `Page ${number}`,
    pictureOf: (number: number) => `Picture of page ${number}`,
    putBack: (scene: number) => `Put back scene ${scene}`,
    savePrint: "Save for print",
    savePrintHint: "PDF with 3 mm of bleed at each edge, for a print shop.",
    saveHtml: "Save as HTML",
    savePdf: "Save as PDF",
    saveStates: {
      saved: "All changes are saved.",
      saving: "Saving changes…",
      failed:
        "Your last changes are not saved in the account. This browser keeps them and tries again when you open this page.",
    },
    saving: "Preparing the file…",
    textOf: (number: number) => `Text of page ${number}`,
    titleOf: "Title on the cover",
    unkept:
      "Your last changes are not saved in the account, and this browser cannot keep them: they are lost when you close this page.",
    useOlder: "Use them instead",
    version: (version: number) => `Version ${version}`,
  },
};
