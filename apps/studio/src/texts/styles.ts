import { texts as shared } from "../texts.ts";

/** Texts of styles, and the shared texts. */
export const texts = {
  ...shared,
  styles: {
    delete: (name: string) => `Delete the style ${name}`,
    deleteAction: "Delete style",
    deleteHint: "Prompts that contain its words do not change.",
    deleteTitle: (name: string) => `Delete the style “${name}”?`,
    hint: "A style adds its words to the prompt, where you can change them. The built-in illustrator drew these pictures.",
    hintWithoutPictures:
      "A style adds its words to the prompt, where you can change them. What they look like depends on the model.",
    list: "Styles",
    name: "Name",
    names: {
      storybook: "Storybook",
      flat: "Flat design",
      watercolour: "Watercolour",
      ink: "Ink drawing",
      pastel: "Pastel chalk",
      neon: "Neon night",
      poster: "Retro poster",
      monochrome: "Black and white",
      golden: "Golden hour",
      mist: "Morning mist",
      winter: "Winter light",
      storm: "Thunderstorm",
    },
    noOwn: "Choose “Save as style” in the menu of a picture to add your own.",
    own: "Your styles",
    picture: "Picture of the style",
    pictureUnread: "The picture could not be read. Try again.",
    save: "Save style",
    saved: (name: string) => `The style “${name}” is saved.`,
    saveHint:
      "A style or preset with the same name is replaced. The picture stays when the image is deleted.",
    title: "Styles",
    titleOfNew: "Save as style",
    words: "Words that the style adds to a prompt",
  },
};
