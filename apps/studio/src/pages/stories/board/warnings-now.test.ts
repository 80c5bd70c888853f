import { expect, it } from "vitest";
import { warningsNow } from "./warnings-now.ts";

const scene = { prompt: "", location: undefined, aspectRatio: undefined, characters: [] };
const warnings = [
  'No scene names these characters: "Otto", "Ida".',
  'No scene names these states: "ball" of "Mira".',
  'No scene names these locations: "Otto".',
  "No image was made with these references, which were only checked: references.1.",
];

it("leaves out the names that added scenes name, and sentences without a name", () => {
  const added = [
    { ...scene, characters: [{ name: "Otto" }] },
    { ...scene, characters: [{ name: "Mira", state: "ball" }] },
  ];
  expect(warningsNow(warnings, added)).toEqual([
    'No scene names these characters: "Ida".',
    ...warnings.slice(2),
  ]);
});

it("leaves out places that added scenes name, and keeps all warnings without added scenes", () => {
  expect(warningsNow(warnings, [])).toEqual(warnings);
  expect(warningsNow(warnings, [{ ...scene, location: "Otto" }])).toEqual(warnings.toSpliced(2, 1));
});
