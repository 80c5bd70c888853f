import type { Verification } from "@atelier/schemas";
import { texts } from "../../texts/verify.ts";

/** The result of one layer of the chain of evidence. */
export interface Layer {
  readonly name: string;
  /** The technical term, beside the name. */
  readonly aside: string;
  readonly result: Verification["techniques"][number]["result"];
  readonly meaning: string;
}

const order = ["manifest", "signature", "watermark", "hash", "fingerprint", "xmp"] as const;

type LayerName = (typeof order)[number];

/** The chain of evidence of a verification, from the strongest statement of the file to the weakest. */
export function layersOf(found: Verification): readonly Layer[] {
  return order.map((name) => {
    const result = resultOf(name, found);
    const { name: title, aside } = texts.verify.layers[name];
    return { name: title, aside, result, meaning: meaningOf(name, result, found) };
  });
}

/**
 * How a file that was made here differs from the delivered one; null when it does not, or was not made here.
 * Watermark and fingerprint also recognise a picture of which a part was changed.
 */
export function changeOf(found: Verification): "changed" | "copy" | null {
  if (found.verdict !== "made_here") return null;
  if (resultOf("signature", found) === "invalid") return "changed";
  return found.based_on.some((technique) => technique === "c2pa" || technique === "hash")
    ? null
    : "copy";
}

function resultOf(name: LayerName, { techniques }: Verification): Layer["result"] {
  // The manifest counts only with its signature: one check decides on both.
  const technique = name === "manifest" || name === "signature" ? "c2pa" : name;
  return techniques.find((one) => one.technique === technique)?.result ?? "not_checked";
}

function meaningOf(name: LayerName, result: Layer["result"], found: Verification): string {
  const layer = texts.verify.layers[name];
  switch (result) {
    case "match":
      return typeof layer.match === "string" ? layer.match : signatureOf(found);
    case "no_match":
      return layer.noMatch;
    case "invalid":
      return layer.invalid;
    case "not_checked":
      return resultOf("manifest", found) === "not_checked"
        ? texts.verify.onlyHash
        : layer.notChecked;
  }
}

function signatureOf({ signer }: Verification): string {
  const names = [signer?.name, signer?.organization].filter((name) => Boolean(name));
  const name = [...new Set(names)].join(", ") || texts.verify.noSigner;
  const { match, untrusted } = texts.verify.layers.signature;
  return signer?.trusted === true ? match(name) : untrusted(name);
}
