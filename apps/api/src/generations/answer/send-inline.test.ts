import type { FoundImage, FoundRender } from "@atelier/generations/jobs";
import type { FormatVariant, GenerationResponse } from "@atelier/schemas";
import { expect, it } from "vitest";
import { maxInlineBytes, writeInline } from "./send-inline.ts";

const file = (sha256: string, sizeBytes: number): FoundImage => ({
  format: "png",
  storageKey: `${sha256}.png`,
  sha256,
  sizeBytes,
  width: 1,
  height: 1,
  flattened: false,
  deleted: false,
});

const variant = (hash: string): FormatVariant => ({
  format: "png",
  url: "https://images.example.com/a",
  expires_at: "2026-11-22T12:00:00.000Z",
  hash,
  size_bytes: 1,
  width: 1,
  height: 1,
});

const common = { id: "i", model: "m", ai_generated: true, cost_eur: "0.01", balance_eur: "1.00" };

function write(result: object, files: readonly FoundImage[]): object {
  const renders = [{ images: files } as unknown as FoundRender];
  const pieces = writeInline({ ...common, ...result } as GenerationResponse, { renders });
  const written = pieces.map((piece) => (typeof piece === "string" ? piece : piece.storageKey));
  return JSON.parse(written.join("")) as object;
}

it("puts each file where its base64 belongs", () => {
  const formats = { png: variant("a"), webp: variant("b") };
  expect(write({ formats }, [file("b", 10), file("a", 10)])).toMatchObject({
    formats: { png: { base64: "a.png" }, webp: { base64: "b.png" } },
  });
});

it("leaves out files above 4 MB, which have their URL only", () => {
  const files = [file("a", maxInlineBytes), file("b", maxInlineBytes + 1)];
  const formats = { png: variant("a"), webp: variant("b") };
  const written = write({ formats }, files) as { formats: Record<string, object> };
  expect(written.formats["png"]).toMatchObject({ base64: "a.png" });
  expect(written.formats["webp"]).not.toHaveProperty("base64");
});

it("puts the files of several images into the images only", () => {
  const formats = { png: variant("a") };
  const images = [
    { index: 0, formats },
    { index: 1, formats: { png: variant("b") } },
  ];
  const written = write({ formats, images }, [file("a", 1), file("b", 1)]);
  expect(written).toMatchObject({
    images: [{ formats: { png: { base64: "a.png" } } }, { formats: { png: { base64: "b.png" } } }],
  });
  expect((written as { formats: Record<string, object> }).formats["png"]).not.toHaveProperty(
    "base64",
  );
});
