import { properties } from "../answer.ts";
import type { Verified } from "./verifier.ts";

const verdicts: Readonly<Record<Verified["verdict"], string>> = {
  made_here: "made here",
  mark_copied: "NOT made here: a mark of this service was copied onto another picture",
  mark_found: "a mark of this service was found; marks can be copied onto other pictures",
  ai_generated: "marked as synthetic",
  similar_found: "it looks like an image of this service; that says nothing about its origin",
  unknown: "unknown; that does not mean that no model made it",
};

/** Names of the image whose record is shown, where it is not the file's own. */
const recordOwners: Partial<Readonly<Record<Verified["verdict"], string>>> = {
  similar_found: "Similar image",
  mark_copied: "Marked image",
};

const makings = {
  trained_model: "AI-made: a trained model made it, or a part of it",
  rules: "made by rules, marked as synthetic",
  composite: "a composite of which at least one element is synthetic",
} as const;

/** Describes a verified file for people. */
export function describeVerified(file: string, found: Verified): string {
  const { signer, image, timeStamp } = found;
  const owner = recordOwners[found.verdict] ?? "";
  const rows: (readonly [string, string | null | undefined])[] = [
    ["File", file],
    ["Verdict", verdicts[found.verdict]],
    ["Based on", found.based_on.join(", ") || null],
    ["Contradicted by", found.contradicted_by.join(", ") || null],
    ["Manifest", describeManifest(found)],
    ["Making", describeMaking(found)],
    [owner === "" ? "Model" : `${owner}'s model`, image?.model],
    [owner === "" ? "Created" : `${owner} created`, image?.created_at],
    ["Made with", found.softwareAgent],
    ["Made by", found.claimGenerator],
    ["Made at", found.createdAt],
    ["Signed by", signer && [signer.name, signer.organization].filter(Boolean).join(", ")],
    ["Stamped at", timeStamp && `${timeStamp.at}${timeStamp.trusted ? "" : byUntrustedAuthority}`],
    ["Source type", found.digitalSourceType],
    ["XMP", describeXmp(found)],
    ["From", found.ingredients?.map(({ title }) => title ?? "an image").join(", ")],
    ["Problems", found.problems?.join(", ")],
    ...found.techniques.map(({ technique, result, detail }): readonly [string, string] => [
      `· ${technique}`,
      detail === null ? results[result] : `${results[result]}: ${detail}`,
    ]),
  ];
  return properties(rows.flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

const byUntrustedAuthority = ", by an untrusted authority";

const results = {
  match: "match",
  no_match: "no match",
  invalid: "invalid",
  not_checked: "not checked",
} as const;

function describeManifest({ signer, techniques }: Verified): string {
  if (signer !== null) {
    return signer.trusted ? "valid, from a trusted signer" : "valid, but from an untrusted signer";
  }
  const isInvalid = techniques.some(({ result }) => result === "invalid");
  return isInvalid ? "NOT valid: the image or its manifest was changed or is malformed" : "none";
}

function describeMaking({ synthetic, aiGenerated }: Verified): string | null {
  if (synthetic !== null) return makings[synthetic];
  return aiGenerated === false ? "not synthetic, says its manifest" : null;
}

/** XMP survives some re-encodings that remove the manifest. */
function describeXmp({ verdict, signer, synthetic, techniques, xmp }: Verified): string | null {
  const isStated = techniques.some(
    ({ technique, result }) => technique === "xmp" && result === "match",
  );
  if (signer !== null || !isStated) return null;
  // Of an image that it made, a service returns how by its own record, which the XMP need not agree with.
  const stated = xmp?.synthetic ?? (verdict === "made_here" ? null : synthetic);
  const statement = stated === null ? "marked as synthetic" : makings[stated];
  return `${statement} (not signed: anybody can write this)`;
}
