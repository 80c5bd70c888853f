import { texts as shared } from "../texts.ts";

/** Texts of the presets of Create, and the shared texts. */
export const texts = {
  ...shared,
  presets: {
    applied: (name: string) => `The form has the preset “${name}”.`,
    delete: (name: string) => `Delete the preset ${name}`,
    deleteAction: "Delete preset",
    deleteHint: "The form and its images do not change.",
    deleteTitle: (name: string) => `Delete the preset “${name}”?`,
    empty: "There are no presets yet. Save what the form contains as the first one.",
    list: "Presets of the account",
    name: "Name",
    nameHint:
      "Saves the prompt and the settings of the form. A preset with the same name is replaced.",
    save: "Save as preset",
    saved: (name: string) => `“${name}” is saved.`,
    title: "Presets",
  },
};
