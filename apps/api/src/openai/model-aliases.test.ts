import type { Catalogue } from "@atelier/models";
import { describe, expect, it } from "vitest";
import { createModelAliases } from "./model-aliases.ts";

const entries = [
  { id: "illustrator", provider_model: "illustrator" },
  { id: "photo", provider_model: "Qwen/Qwen-Image" },
  { id: "gpt-image-2", provider_model: "gpt-image-2-2026-11-24" },
  { id: "flux-fast", provider_model: "flux" },
  { id: "flux-slow", provider_model: "flux" },
  { id: "old", provider_model: "sd-1.5", retires_at: "2020-01-01T00:00:00Z" },
].map((entry) => ({ retires_at: null, ...entry }));
const catalogue = {
  entries,
  entryOf: (id: string) => entries.find((entry) => entry.id === id) ?? null,
} as unknown as Pick<Catalogue, "entryOf" | "entries">;

describe("model aliases", () => {
  const { resolve, exact } = createModelAliases(
    [
      { name: "dall-e-3", model: "illustrator" },
      { name: "gpt-image-*", model: "illustrator" },
      { name: "gpt-image-1*", model: "photo" },
    ],
    catalogue,
  );

  it.each([
    ["an exact name", "dall-e-3", "illustrator"],
    ["an exact name, in any case", "DALL-E-3", "illustrator"],
    ["the beginning of a name", "gpt-image-3", "illustrator"],
    ["the longest beginning", "gpt-image-1.5", "photo"],
    ["no name", "dall-e-2", "dall-e-2"],
    ["the id of a model itself", "gpt-image-2", "gpt-image-2"],
    ["the name at the provider, in any case", "qwen/qwen-image", "photo"],
    ["not a name at the provider that two models have", "flux", "flux"],
    ["not the name at the provider of a retired model", "sd-1.5", "sd-1.5"],
  ])("resolve %s", (_, name, model) => {
    expect(resolve(name)).toBe(model);
  });

  it("list only exact names", () => {
    expect(exact.map(({ name }) => name)).toEqual(["dall-e-3"]);
  });
});

it("an alias of an unknown model is an error that names both", () => {
  const aliases = [{ name: "dall-e-3", model: "ilustrator" }];
  expect(() => createModelAliases(aliases, catalogue)).toThrow(
    'there is no model "ilustrator" for the name "dall-e-3"',
  );
});
