import { totalPrice, type SceneRequest } from "@atelier/schemas";
import { describe, expect, it } from "vitest";
import type { PlanFacts } from "./facts.ts";
import { planScene } from "./plan-scene.ts";

const facts: PlanFacts = {
  model: {
    id: "illustrator",
    lane: "builtin",
    imageSizes: ["1K", "2K"],
    aspectRatios: ["1:1", "16:9"],
    defaultAspectRatio: "1:1",
    maxReferenceImages: 2,
  },
  imageSize: "1K",
  strictness: "liberal",
  pricePerImageMicroEur: 40_000n,
  seed: 7,
};

const request: SceneRequest = {
  model: "illustrator",
  prompt: "Mara and Finn dance",
  style: "ink",
  setting: "a village",
  characters: [
    { name: "Mara", description: "a girl", reference_url: "https://example.com/mara.png" },
    { name: "Finn ", description: "a fisherman", reference_url: "https://example.com/finn.png" },
  ],
  location: {
    name: "Pier",
    description: "wet stones",
    reference_url: "https://example.com/pier.png",
  },
};

describe("the plan of a scene", () => {
  it("is one image with the client's references in order of importance", () => {
    const plan = planScene(request, facts);
    expect(plan).toMatchObject({ kind: "image", title: null });
    expect(totalPrice(plan.price)).toBe(40_000n);
    expect(plan.renders).toMatchObject([
      {
        role: "image",
        waitsFor: [],
        spec: {
          aspectRatio: "1:1",
          seed: 7,
          name: null,
          title: null,
          references: [
            { role: "character", name: "Mara", source: { path: "characters.0.reference_url" } },
            { role: "character", name: "Finn", source: { path: "characters.1.reference_url" } },
            { role: "unused", name: null, source: { path: "location.reference_url" } },
          ],
        },
      },
    ]);
    const all = planScene(request, { ...facts, model: { ...facts.model, maxReferenceImages: 5 } });
    expect(all.renders[0]?.spec.references[2]).toMatchObject({
      role: "location",
      description: "wet stones",
      source: { url: "https://example.com/pier.png", path: "location.reference_url" },
    });
  });

  it("puts characters, location and style into the prompt and lists every text with its path", () => {
    const spec = planScene(request, facts).renders[0]?.spec;
    expect(spec?.prompt).toMatch(/^Mara and Finn dance\.\nLocation \(Pier\): wet stones\.\n/);
    expect(spec?.prompt).toContain("Character (Finn): a fisherman.");
    expect(spec?.prompt).toContain("Style: ink.");
    expect(spec?.prompt).not.toContain("Story");
    expect(spec?.texts).toEqual([
      { path: "prompt", text: "Mara and Finn dance" },
      { path: "setting", text: "a village" },
      { path: "style", text: "ink" },
      { path: "characters.0.name", text: "Mara" },
      { path: "characters.0.description", text: "a girl" },
      { path: "characters.1.name", text: "Finn" },
      { path: "characters.1.description", text: "a fisherman" },
      { path: "location.name", text: "Pier" },
      { path: "location.description", text: "wet stones" },
    ]);
  });

  it("puts the metadata of a request into no image and no text that is judged", () => {
    const plan = planScene({ ...request, metadata: { note: "of the client" } }, facts);
    expect(plan.metadata).toEqual({ note: "of the client" });
    expect(JSON.stringify([plan.request, plan.renders])).not.toContain("of the client");
  });

  it("sends a raw prompt unchanged, with the references", () => {
    const spec = planScene({ ...request, raw_prompts: true }, facts).renders[0]?.spec;
    expect(spec?.prompt).toBe("Mara and Finn dance");
    expect(spec?.rawPrompt).toBe(true);
    expect(spec?.references.map(({ role }) => role)).toEqual(["character", "character", "unused"]);
  });

  it("checks an image that does not fit into the limit of the model once, in the first image", () => {
    const { renders } = planScene({ ...request, n: 2 }, facts);
    const roles = renders.map(({ spec }) => spec.references.map(({ role }) => role));
    expect(roles).toEqual([
      ["character", "character", "unused"],
      ["character", "character"],
    ]);
  });

  it("rejects the same problems as a story", () => {
    const twice = [...(request.characters ?? []), ...(request.characters ?? [])];
    expect(() => planScene({ ...request, characters: twice }, facts)).toThrow(
      expect.objectContaining({ code: "duplicate_name" }),
    );
    expect(() => planScene({ ...request, aspect_ratio: "2:1" }, facts)).toThrow(
      expect.objectContaining({ code: "unsupported_aspect_ratio" }),
    );
    const blind = { ...facts, model: { ...facts.model, maxReferenceImages: 0 } };
    expect(() => planScene(request, blind)).toThrow(
      expect.objectContaining({ code: "references_not_supported" }),
    );
  });
});
