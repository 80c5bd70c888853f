import { expect, it } from "vitest";
import { contentOfAdded } from "./added-request.ts";

const upload = { upload_id: "0197c1a8-0000-7000-8000-000000000001" };
const url = "https://example.com/mira-asleep.png";

const story = {
  request: {
    characters: [
      {
        name: "Mira",
        description: "a girl",
        reference: { job_id: "earlier", portrait: "Mira", state: "rain" },
        states: {
          coat: { description: "in a coat", reference: upload },
          asleep: { description: "asleep", reference_url: url },
          wet: { description: "drenched" },
        },
      },
    ],
  },
};

const shown = (subject: object) =>
  contentOfAdded(story, {
    request: { prompt: "Mira waves", characters: [{ name: "Mira", ...subject }] },
  }).characters[0];

it.each([
  ["a picture of a look", { reference: upload }, "coat"],
  ["a URL of a look", { reference_url: url }, "asleep"],
  [
    "what the story drew",
    { reference: { job_id: "story", portrait: "Mira", state: "wet" } },
    "wet",
  ],
  [
    "the normal look",
    { reference: { state: "rain", portrait: "Mira", job_id: "earlier" } },
    undefined,
  ],
])("recognizes the look of a character by %s", (_, subject, state) => {
  expect(shown(subject)).toEqual({ name: "Mira", state });
});
