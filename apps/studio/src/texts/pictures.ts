import { texts as shared } from "../texts.ts";

/** Texts of what can be done with a picture, and the shared texts. */
export const texts = {
  ...shared,
  pictures: {
    actions: "More actions",
    actionsFor: (title: string) => `Actions: ${title}`,
    changes: {
      edit: "Edit",
      upscale: "Upscale",
      "remove-background": "Cut out",
      outpaint: "Extend",
      erase: "Erase a part",
      vectorize: "Trace",
      variations: "Vary",
    },
    collections: {
      add: "Add to a collection",
      added: (count: number, name: string) =>
        count === 1 ? `Added to “${name}”.` : `${count} jobs added to “${name}”.`,
      count: (jobs: number) => (jobs === 1 ? "1 job" : `${jobs} jobs`),
      create: "Create and add",
      hint: "There are no collections yet. Create the first one.",
      name: "New collection",
      remove: (name: string) => `Remove from “${name}”`,
      removed: (count: number, name: string) =>
        count === 1 ? `Removed from “${name}”.` : `${count} jobs removed from “${name}”.`,
      title: (count: number) =>
        count === 1 ? "Add to a collection" : `Add ${count} jobs to a collection`,
    },
    compare: {
      title: "Compare images",
      view: "View",
      views: { slider: "Slider", sideBySide: "Side by side" },
      names: { before: "Before", after: "After" },
      slider: "Part of the first image",
      sliderValue: (percent: string, name: string) => `${percent} ${name}`,
      foreign: "The original is at another address and is not stored here.",
      missing: "One of the images was deleted.",
    },
    compareOriginal: "Compare with the original",
    compareSelect: "Select to compare",
    compareSelected: "Choose Compare in the menu of another image.",
    compareWith: (title: string) => `Compare with “${title}”`,
    saveStyle: "Save as style",
    share: "Share",
    delete: "Delete images",
    deleteHint:
      "All images of this job are deleted. They cannot be restored; the job, its cost and the hashes stay.",
    deleteTitle: "Delete the images of this job?",
    download: (format: string) => `Download ${format}`,
    history: {
      title: "History of this image",
      original: "Original",
      others: "Other changes of these images",
    },
    keep: "Keep",
    kept: "The images of this job are kept until you delete them.",
    keepNamed: (title: string) => `Keep: ${title}`,
    keptShort: "Kept",
    keptUntil: "You delete them",
    left: (time: string) => `${time} left`,
    pixels: (width: number, height: number) => `${width} × ${height}`,
    quota: (used: string, quota: string) => `Kept: ${used} of ${quota}`,
    starredNotKept:
      "The star is set, but the quota for kept images has no room. Stop keeping others first.",
    notKept: "The images of this job follow the retention of the account again.",
    openIn: { create: "Open in Create", library: "Open in the library" },
    release: "Stop keeping",
    refer: "Use as reference",
    similar: "Similar images",
    star: "Star",
    unstar: "Remove the star",
    warnings: "Not everything in the request had an effect",
    toolStarted: "The image is in the form.",
  },
};
