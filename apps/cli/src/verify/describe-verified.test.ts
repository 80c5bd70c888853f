import { expect, it } from "vitest";
import { describeVerified } from "./describe-verified.ts";
import type { Verified } from "./verifier.ts";

const found: Verified = {
  verdict: "made_here",
  based_on: ["watermark"],
  contradicted_by: [],
  techniques: [{ technique: "xmp", result: "match", detail: null }],
  synthetic: "rules",
  signer: null,
  image: { model: "acme", created_at: "2026-11-30T00:00:00.000Z", formats: ["png"] },
};
const xmp = { digitalSourceType: "http://example.com", synthetic: "trained_model" } as const;
const note = " (not signed: anybody can write this)";

it.each([
  [
    "the XMP of a file that was read here",
    { ...found, xmp },
    "AI-made: a trained model made it, or a part of it",
  ],
  ["no record of a service in its place", found, "marked as synthetic"],
  [
    "the XMP that a service read of a strange file",
    { ...found, verdict: "ai_generated" as const, image: null },
    "made by rules, marked as synthetic",
  ],
])("prints as XMP %s", (_, verified, statement) => {
  const [row] = /^XMP.*$/m.exec(describeVerified("copy.jpg", verified)) ?? [];
  expect(row?.replace(/^XMP +/, "")).toBe(statement + note);
});
