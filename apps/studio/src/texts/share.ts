import { texts as shared } from "../texts.ts";

/** Texts of links to pictures, and the shared texts. */
export const texts = {
  ...shared,
  share: {
    action: "Create link",
    copy: "Copy the link",
    days: "The link works for",
    dayCount: (days: number) => (days === 1 ? "1 day" : `${days} days`),
    empty: "There are no links. Share a picture with its menu, or a story with its button.",
    ends: (time: string) => `The link ends on ${time}.`,
    endsWithImages: (time: string) =>
      `The link ends earlier, on ${time}, when the images are deleted. Keep them, and it works for all of its days.`,
    images: "Images",
    keep: "Keep the images",
    keepHint:
      "They count towards the quota for kept images, also after the end of the link, until you stop keeping them. Without it, the link ends when they are deleted.",
    kept: "They are kept, so that the link works for all of its days.",
    lead: "Anyone who has the link sees the images without signing in, with the label “AI-generated”. The page shows no prompt and no name. You can stop the link on the page Account.",
    list: "Shared links",
    listLead: "Links that show images to anyone who has them. A link itself is shown only once.",
    ofImage: (image: number) => `Image ${image}`,
    allImages: "All images",
    once: "Copy it now: it is shown only once. You can create another one at any time.",
    openJob: "Show the job",
    stop: "Stop",
    stopOf: (time: string) => `Stop the link of ${time}`,
    stopped: "The link has ended.",
    stopHint: "The link shows nothing from now on. The images stay in your library.",
    stopTitle: "Stop this link?",
    ofStory:
      "The link shows the pictures as they were first made, in the order of the request, without texts.",
    times: (from: string, to: string) => `Since ${from}, ends on ${to}`,
    title: "Share",
    titleDone: "The link",
  },
};
