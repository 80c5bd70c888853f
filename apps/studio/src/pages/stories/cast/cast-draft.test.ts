import { expect, it } from "vitest";
import { withCast } from "./cast-draft.ts";

it("refers to the portraits, looks and places that a job drew, and keeps the client's pictures", () => {
  const own = { url: "https://example.com/otto.png" };
  const request = {
    model: "painter",
    cast_only: true,
    characters: [
      { name: "Mira", description: "a girl", states: { rain: { description: "in a raincoat" } } },
      { name: "Otto", description: "a man", reference: own },
    ],
    locations: [{ name: "Harbour", description: "boats" }],
    scenes: [{ prompt: "Mira waves" }],
  };
  expect(withCast({ id: "cast", request }, [])).toEqual({
    model: "painter",
    characters: [
      {
        ...request.characters[0],
        reference: { job_id: "cast", portrait: "Mira" },
        states: {
          rain: {
            description: "in a raincoat",
            reference: { job_id: "cast", portrait: "Mira", state: "rain" },
          },
        },
      },
      { ...request.characters[1], states: undefined },
    ],
    locations: [{ ...request.locations[0], reference: { job_id: "cast", location: "Harbour" } }],
    scenes: request.scenes,
  });
});
