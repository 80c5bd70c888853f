import type { SceneRequest, StoryRequest } from "@atelier/schemas";
import { expect, it } from "vitest";
import { continueStory } from "./continue-story.ts";

const jobId = "019a9f3c-5f0e-7c31-9b7d-3f5a2c8e1d46";

const request: StoryRequest = {
  model: "illustrator",
  style: "ink",
  setting: "a village",
  aspect_ratio: "16:9",
  image_size: "2K",
  characters: [
    {
      name: "Mira",
      description: "a girl",
      states: {
        rain: { description: "in a raincoat" },
        hat: { description: "with a hat", reference_url: "https://example.com/hat.png" },
      },
    },
    { name: "Finn", description: "a fisherman", reference: { upload_id: jobId } },
  ],
  locations: [{ name: "Pier", description: "wet stones" }],
  scenes: [{ prompt: "one" }, { prompt: "two" }],
};

const scene: SceneRequest = { model: "", story_job_id: jobId, prompt: "Mira dances" };

const complete = (more: Partial<SceneRequest>) =>
  continueStory({ ...scene, ...more }, { jobId, request });

it("takes model, style and size of the story unless the request has its own", () => {
  const common = { style: "ink", setting: "a village" };
  expect(complete({})).toMatchObject({
    ...common,
    model: "illustrator",
    aspect_ratio: "16:9",
    image_size: "2K",
  });
  const other = complete({ model: "painter", style: "oil" });
  expect(other).toMatchObject({ model: "painter", style: "oil", setting: "a village" });
  expect(other.aspect_ratio).toBeUndefined();
  expect(other.image_size).toBeUndefined();
  expect(complete({ width: 640, height: 480 }).aspect_ratio).toBeUndefined();
});

it("takes descriptions and images of the story, and those that the story was given", () => {
  const characters = [
    { name: " Mira " },
    { name: "Mira", state: "rain" },
    { name: "Mira", state: "hat" },
    { name: "Finn" },
  ];
  const completed = complete({ characters, location: { name: "Pier" } });
  expect(completed.characters).toEqual([
    { name: "Mira", description: "a girl", reference: { job_id: jobId, portrait: "Mira" } },
    {
      name: "Mira",
      description: expect.stringMatching(/^a girl\..*in a raincoat\./),
      reference: { job_id: jobId, portrait: "Mira", state: "rain" },
    },
    {
      name: "Mira",
      description: expect.stringContaining("with a hat."),
      reference_url: "https://example.com/hat.png",
    },
    { name: "Finn", description: "a fisherman", reference: { upload_id: jobId } },
  ]);
  expect(completed.location).toEqual({
    name: "Pier",
    description: "wet stones",
    reference: { job_id: jobId, location: "Pier" },
  });
});

it("leaves a character that the request describes itself", () => {
  const tom = {
    name: "Tom",
    description: "a cat",
    reference_url: "https://example.com/tom.png",
  };
  expect(complete({ characters: [tom] }).characters).toEqual([tom]);
});

it("reports every name that the story does not have", () => {
  const wrong = () =>
    complete({
      characters: [{ name: "Tom" }, { name: "Mira", state: "snow" }],
      location: { name: "Beach" },
    });
  expect(wrong).toThrow(
    expect.objectContaining({
      code: "unknown_character",
      details: [
        expect.objectContaining({ path: "characters.0.name", available: ["Mira", "Finn"] }),
        expect.objectContaining({ path: "characters.1.state", available: ["rain", "hat"] }),
        expect.objectContaining({ path: "location.name", available: ["Pier"] }),
      ],
    }),
  );
});
