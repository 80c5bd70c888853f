import { texts as shared } from "../texts.ts";

/** Texts of the assistant, and the shared texts. */
export const texts = {
  ...shared,
  assist: {
    added: (parts: string) => `Added: ${parts}`,
    asking: "Asking the assistant. This may take a minute…",
    choose: "Choose one to put it into the form. Nothing is generated yet.",
    draft: "Draft the story",
    drafting: "The assistant drafts the story. This may take a minute…",
    idea: "Your story in one sentence",
    ideaPlaceholder: "A shy fox learns to sing",
    language: "Language of the texts",
    problems: {
      busy: "Two of your requests wait for the assistant already. Try again when they are done.",
      declined: "The assistant declined this text. Change it, or write without the assistant.",
      limit: (perDay: number, time: string) =>
        `Your account may use the assistant ${perDay} times at once, then ${perDay} times spread over a day. The next time is possible at ${time}.`,
      off: "This service has no assistant any more. Load the page again.",
      refused: "This text was refused. Change it.",
      unavailable: "The assistant does not answer at the moment. Try again later.",
      unusable: "The answer of the assistant cannot be used. Try again, or change the text.",
      withheld:
        "The answer of the assistant violates the content policy and is not shown. Change the text, or try again.",
    },
    scenes: "Number of scenes",
    sentTo:
      "The text is sent to a language model that the operator of this service chose. It costs you nothing.",
    start: "Start from one sentence",
    startHint:
      "The assistant writes characters, places and scenes into the form. You can change everything, and nothing is generated yet.",
    style: "Style",
    stylePlaceholder: "watercolour",
    suggestions: "Suggested prompts",
    used: "The suggestion is in the form.",
  },
};
