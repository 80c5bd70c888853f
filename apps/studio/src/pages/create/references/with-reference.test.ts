import type { Model } from "@atelier/schemas";
import { expect, it } from "vitest";
import { changeOf, readDraft, type Draft } from "../draft.ts";
import { withReference } from "./with-reference.ts";

const modelOf = (id: string, most: number) =>
  ({
    id,
    name: id,
    operations: ["image"],
    supports_references: most > 0,
    max_reference_images: most,
  }) as unknown as Model;
const [plain, able] = [modelOf("plain", 0), modelOf("able", 1)];
const reference = { source: { job_id: "a", image: 0 }, description: "a boat" };
const draft: Draft = { ...readDraft(), model: "plain", prompt: "a lake" };

it("adds a reference, and chooses a model that takes one", () => {
  const added = withReference(draft, reference, [plain, able]);
  expect(added?.part).toMatchObject({ model: "able", prompt: "a lake", references: [reference] });
  expect(added?.message).toContain("able");
  expect(withReference(draft, reference, [plain])).toBe(null);
});

it("adds no reference twice, and no more than the model takes", () => {
  const full = { ...draft, model: "able", references: [reference] };
  const same = { ...reference, source: { job_id: "a" } };
  const other = { ...reference, source: { job_id: "a", image: 1 } };
  expect(withReference(full, same, [modelOf("able", 2)])?.part).toBe(null);
  expect(withReference(full, other, [modelOf("able", 2)])?.part).toMatchObject({
    references: [reference, other],
  });
  expect(withReference(full, other, [able])?.part).toBe(null);
});

it("ends the change of an image, and restores what was typed before it", () => {
  const scaled = { ...draft, ...changeOf(draft, "upscale", { job_id: "b" }) };
  expect(withReference(scaled, reference, [able])?.part).toMatchObject({
    edit: null,
    prompt: "a lake",
    references: [reference],
  });
});
