import { expect, it } from "vitest";
import { requestOfImages, textsToAsk } from "./texts-of-images.ts";

const name = { path: "characters.0.name", text: "Mira" };
const look = { path: "characters.0.description", text: "a girl  with\nred hair" };
const scene = { path: "scenes.0.prompt", text: "Mira wakes up" };
const negative = { path: "negative_prompt", text: "blurry" };
const portrait = {
  prompt: "Portrait of Mira.\nCharacter (Mira): a girl with red hair.",
  composedOf: [look.path, name.path],
  texts: [negative, name, look, scene],
  hasClientImages: false,
};
const drawn = {
  prompt: "Mira wakes up.\nCharacter (Mira): a girl with red hair.",
  composedOf: [scene.path, name.path, look.path],
  texts: [scene, negative, name, look],
  hasClientImages: false,
};

it("asks about each text of a story once, and about each composed prompt at the field of its image", () => {
  expect(requestOfImages([portrait, drawn, drawn], "liberal")).toEqual({
    strictness: "liberal",
    hasClientImages: false,
    texts: [
      ...portrait.texts,
      { path: look.path, text: portrait.prompt, composedOf: portrait.composedOf },
      { path: scene.path, text: drawn.prompt, composedOf: drawn.composedOf },
    ],
  });
});

it("asks about a prompt of the client, or a raw prompt of a scene, as a text of its own", () => {
  const image = { prompt: "a boat", texts: [negative], hasClientImages: true };
  expect(requestOfImages([image, image], "normal")).toEqual({
    strictness: "normal",
    hasClientImages: true,
    texts: [negative, { path: "prompt", text: "a boat" }],
  });
  const raw = { ...drawn, prompt: scene.text, composedOf: [scene.path] };
  expect(requestOfImages([raw], "normal").texts).toEqual(drawn.texts);
});

it("asks about no prompt for a diagram with a source", () => {
  const texts = [{ path: "source", text: "a -> b" }];
  expect(requestOfImages([{ prompt: "", texts, hasClientImages: false }], "normal").texts).toEqual(
    texts,
  );
});

it("asks a remote model about composed prompts, and about texts that none of them contains", () => {
  const { texts } = requestOfImages([portrait, drawn], "normal");
  expect(textsToAsk([...texts, { path: "title", text: " \n" }])).toEqual([
    negative,
    expect.objectContaining({ text: portrait.prompt }),
    expect.objectContaining({ text: drawn.prompt }),
  ]);
});

it("asks about each text once", () => {
  const prompt = { path: "prompt", text: "a boat" };
  expect(textsToAsk([prompt, { path: "source", text: "a  boat" }])).toEqual([prompt]);
});
