import { texts as shared } from "../texts.ts";

/** Texts of what can be done with a picture, and the shared texts. */
export const texts = {
  ...shared,
  pictures: {
    actions: "More actions",
    actionsFor: (title: string) => `Actions: ${title}`,
    changes: { edit: "Edit", upscale: "Upscale", "remove-background": "Cut out" },
    compare: {
      title: "Compare images",
      view: "View",
      views: { slider: "Slider", sideBySide: "Side by side" },
      names: { before: "Before", after: "After" },
      slider: "Part of the first image",
      sliderValue: (part: number, name: string) => `${part} % ${name}`,
      foreign: "The original is at another address and is not stored here.",
      missing: "One of the images was deleted.",
    },
    compareOriginal: "Compare with the original",
    compareSelect: "Select to compare",
    compareSelected: "Choose Compare in the menu of another image.",
    compareWith: (title: string) => `Compare with “${title}”`,
    download: (format: string) => `Download ${format}`,
    keep: "Keep",
    kept: "The images of this job are kept until you delete them.",
    keptUntil: "Until you delete them",
    notKept: "The images of this job follow the retention of the account again.",
    openIn: { create: "Open in Create", library: "Open in the library" },
    release: "Stop keeping",
    refer: "Use as reference",
    toolStarted: "The image is in the form.",
  },
};
