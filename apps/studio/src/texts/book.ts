import { texts as shared } from "./stories.ts";

const pictures = (count: number) => (count === 1 ? "1 picture" : `${count} pictures`);

/** Texts of the pages of a story, and the shared texts. */
export const texts = {
  ...shared,
  book: {
    cover: "Cover",
    coverPicture: "Picture on the cover",
    earlier: (name: string) => `Move ${name} forward`,
    discardOlder: "Discard them",
    drawAgain: (count: number, size: string, price: string) =>
      `Draw ${pictures(count)} again in ${size} for ${price}`,
    empty: "This story has no scenes",
    enlarged: (done: number, total: number) => `Larger pictures: ${done} of ${total} are ready`,
    enlarging: "Larger pictures",
    enlargingHint:
      "The file is saved when all are ready. If you close this, they are made all the same, and the book shows them.",
    emptyHint: "A book needs scenes. Edit a copy of the story and add some.",
    font: "Font",
    hintSaved: "Every change is saved in your account while you type.",
    hint: "Click a text to change it. Alt and an arrow key move a page. The images of the story do not change.",
    imprint: "Last page",
    language: "Language of the texts",
    largerHint:
      "Upscaled pictures show the same with smoother edges. Pictures that are drawn again can look different. The file is saved afterwards; the smaller versions stay in the story.",
    largerPictures: "Larger pictures",
    later: (name: string) => `Move ${name} back`,
    layout: "Texts of the pages",
    layouts: {
      below: "Below the pictures",
      beside: "Beside the pictures",
      over: "Over the pictures",
    },
    leaveOut: (name: string) => `Leave out ${name}`,
    leftOut: "Left out",
    leftOutScene: (scene: number) => `Scene ${scene}, left out`,
    morePages: "More pages",
    moved: (scene: number, to: number, count: number) =>
      `Scene ${scene} is now on page ${to} of ${count}.`,
    noPicture: "No picture",
    notPermitted:
      "Your last changes are not saved in the account. They stay in this browser until you sign out.",
    older:
      "This browser has older changes that were not saved. The book was changed elsewhere since, so they were not used.",
    pageNames: {
      dedication: "Dedication",
      author: "About the author",
      cast: "The characters with their portraits",
    },
    pageOf: (number: number) => `Page ${number}`,
    pageSize: (width: number, height: number) => `Pages of ${width} × ${height} mm`,
    pictureOf: (number: number) => `Picture of page ${number}`,
    ppiAfter: (ppi: number) => `then at least ${ppi} ppi`,
    ppiVerdicts: { best: "sharp", enough: "enough at an arm’s length", low: "still soft" },
    printNow: "Save the PDF",
    printPages: (width: number, height: number, bleed: number) =>
      `Pages of ${width} × ${height} mm with ${bleed} mm of bleed at each edge. The colours are sRGB, which the file states.`,
    printPpi: (lowest: number, highest: number, count: number) =>
      lowest === highest
        ? `${pictures(count)} in print: ${lowest} ppi (pixels per inch)`
        : `${pictures(count)} in print: ${lowest} to ${highest} ppi (pixels per inch)`,
    printVerdicts: {
      best: (_: number, best: number) => `That is sharp: print shops ask for ${best} ppi.`,
      enough: (enough: number, best: number) =>
        `That is enough for a picture book, which needs ${enough} ppi at an arm’s length. Print shops ask for ${best} ppi, which is sharp at any distance.`,
      low: (enough: number, best: number) =>
        `Below ${enough} ppi, edges look soft in print. ${enough} ppi are enough for a picture book at an arm’s length; print shops ask for ${best} ppi.`,
    },
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
    staySmall: (scenes: readonly number[]) =>
      scenes.length === 1
        ? `The picture of scene ${scenes.join()} was not made larger, and was not charged. The book keeps the small one.`
        : `The pictures of the scenes ${scenes.join(", ")} were not made larger, and were not charged. The book keeps the small ones.`,
    textOf: (number: number) => `Text of page ${number}`,
    textSize: "Size of the texts",
    textSizes: { small: "Small", medium: "Medium", large: "Large" },
    titleOf: "Title on the cover",
    unkept:
      "Your last changes are not saved in the account, and this browser cannot keep them: they are lost when you close this page.",
    upscale: (count: number, size: string, price: string) =>
      `Upscale ${pictures(count)} to ${size} for ${price}`,
    upscaler: "Upscale with",
    useOlder: "Use them instead",
    version: (version: number) => `Version ${version}`,
  },
};
