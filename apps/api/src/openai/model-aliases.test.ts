import type { Catalogue } from "@atelier/models";
import { describe, expect, it } from "vitest";
import { createModelAliases } from "./model-aliases.ts";

const models = ["illustrator", "photo", "gpt-image-2"];
const catalogue = {
  entryOf: (id: string) => (models.includes(id) ? { id } : null),
} as unknown as Pick<Catalogue, "entryOf">;

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
    ["the beginning of a name", "gpt-image-3", "illustrator"],
    ["the longest beginning", "gpt-image-1.5", "photo"],
    ["no name", "dall-e-2", "dall-e-2"],
    ["the id of a model itself", "gpt-image-2", "gpt-image-2"],
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
