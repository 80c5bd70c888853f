import { expect, it } from "vitest";
import { description } from "./description.ts";
import { makesExactSizes } from "./traits.ts";

const sizes = (exact: boolean) => ({ exact, of: { "1K": { area: 1_048_576, multiple_of: 16 } } });
const request = (when: object, exact: boolean) => ({
  when,
  path: "/images",
  json: {
    prompt: "{prompt}",
    wide: "{width}",
    high: "{height}",
    images: "{images}",
    mask: "{mask}",
  },
  sizes: sizes(exact),
});
const draw = request({ images: false }, true);

it.each([
  ["every request names them", [draw, request({ images: true, tasks: ["image"] }, true)], true],
  ["its request with references does not", [draw, request({ images: true }, false)], false],
  ["its edits do not", [draw, request({ tasks: ["edit"], images: true }, false)], false],
  ["only masked edits do not", [draw, request({ tasks: ["edit"], mask: true }, false)], true],
] as const)("tells whether a model makes exact sizes when %s", (_, requests, expected) => {
  const described = description.parse({
    requests,
    answer: { image: { as: "base64", at: ["data"] } },
    images: { as: "data_url" },
    mask: { as: "data_url", changes: "white" },
  });
  expect(makesExactSizes(described, "model")).toBe(expected);
});
