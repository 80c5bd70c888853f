import type { Verification } from "@atelier/schemas";
import { expect, it } from "vitest";
import { changeOf } from "./layers.ts";

type Technique = Verification["techniques"][number];

function verificationOf(
  verdict: Verification["verdict"],
  manifest: Technique["result"],
  basedOn: Verification["based_on"],
): Verification {
  return {
    verdict,
    based_on: basedOn,
    contradicted_by: [],
    techniques: [{ technique: "c2pa", result: manifest, detail: null }],
    synthetic: null,
    signer: null,
    image: null,
  };
}

it.each([
  ["the delivered file", "match", ["c2pa", "hash"], null],
  ["a hash of the delivered file", "not_checked", ["hash"], null],
  ["a file with a broken statement", "invalid", ["watermark", "fingerprint"], "changed"],
  ["a copy without its statement", "no_match", ["watermark", "fingerprint"], "copy"],
] as const)("says of %s how it differs from the original", (_, manifest, basedOn, change) => {
  expect(changeOf(verificationOf("made_here", manifest, [...basedOn]))).toBe(change);
});

it.each(["mark_found", "ai_generated", "similar_found", "unknown"] as const)(
  "says nothing about an original when the verdict is %s",
  (verdict) => {
    expect(changeOf(verificationOf(verdict, "invalid", []))).toBeNull();
  },
);
