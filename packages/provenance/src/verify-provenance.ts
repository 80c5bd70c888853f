import { z } from "zod";
import { c2paSettings, loadC2pa } from "./c2pa.ts";
import { detectFormat, mediaTypes } from "./image-format.ts";
import { isAiSourceType } from "./manifest.ts";

/** An image that went into another, as its manifest tells. */
export interface ReportedIngredient {
  readonly title: string | null;
  /** `inputTo`, `componentOf` or `parentOf`. */
  readonly relationship: string;
  /** It has a manifest of its own, which is kept. */
  readonly hasManifest: boolean;
}

/** What a manifest says about an image. Statements of an invalid manifest prove nothing. */
export interface ProvenanceReport {
  /**
   * - `trusted`: whole, and signed under one of the trust anchors;
   * - `valid`: whole, and signed by somebody that no trust anchor vouches for;
   * - `invalid`: the image or its manifest was changed, or the manifest breaks the rules;
   * - `absent`: there is no manifest in the file.
   */
  readonly state: "trusted" | "valid" | "invalid" | "absent";
  /** C2PA failure codes such as `assertion.dataHash.mismatch`. */
  readonly problems: readonly string[];
  /** A URI of the IPTC digital source type vocabulary. */
  readonly digitalSourceType: string | null;
  /** A whole manifest says that a trained model had a part in the image; null: nothing is said. */
  readonly aiGenerated: boolean | null;
  /** The model or program that made the image. */
  readonly softwareAgent: string | null;
  readonly createdAt: string | null;
  readonly claimGenerator: string | null;
  /** Common name and organization of the signing certificate. */
  readonly signedBy: { readonly name: string | null; readonly organization: string | null } | null;
  readonly ingredients: readonly ReportedIngredient[];
}

/**
 * Reads and checks the C2PA manifest in an image: signature, hashes of pixels and assertions,
 * trust. Nothing is fetched: a manifest kept elsewhere counts as absent.
 *
 * @throws InvalidImageError when the bytes are not a PNG, JPEG or WebP image.
 */
export async function verifyProvenance(
  bytes: Uint8Array,
  options: { readonly trustAnchorsPem: string },
): Promise<ProvenanceReport> {
  const mediaType = mediaTypes[detectFormat(bytes)];
  const { Reader } = await loadC2pa();
  let json: string;
  try {
    using reader = await Reader.fromBytes(mediaType, bytes, c2paSettings(options.trustAnchorsPem));
    json = reader.json();
  } catch (error) {
    // The library throws strings.
    const reason = String(error);
    const isAbsent = /\b(JumbfNotFound|RemoteManifestUrl)\b/.test(reason);
    return {
      ...nothingKnown,
      state: isAbsent ? "absent" : "invalid",
      problems: isAbsent ? [] : [reason],
    };
  }
  return reportOf(storeShape.parse(JSON.parse(json)));
}

const nothingKnown = {
  digitalSourceType: null,
  aiGenerated: null,
  softwareAgent: null,
  createdAt: null,
  claimGenerator: null,
  signedBy: null,
  ingredients: [],
} as const;

const statusList = z.array(z.object({ code: z.string() }));

const actionList = z.object({
  actions: z.array(
    z.object({
      action: z.string(),
      when: z.string().optional(),
      digitalSourceType: z.string().optional(),
      softwareAgent: z.union([z.string(), z.object({ name: z.string() })]).optional(),
    }),
  ),
});

const manifestShape = z.object({
  claim_generator_info: z
    .array(z.object({ name: z.string(), version: z.string().optional() }))
    .default([]),
  assertions: z.array(z.object({ label: z.string(), data: z.unknown() })).default([]),
  ingredients: z
    .array(
      z.object({
        title: z.string().optional(),
        relationship: z.string(),
        active_manifest: z.string().optional(),
      }),
    )
    .default([]),
  signature_info: z
    .object({ common_name: z.string().optional(), issuer: z.string().optional() })
    .optional(),
});

/** The parts of the library's answer that are read here; assertions hold whatever a signer put in. */
const storeShape = z.object({
  active_manifest: z.string(),
  manifests: z.record(z.string(), manifestShape),
  validation_state: z.enum(["Trusted", "Valid", "Invalid"]),
  validation_results: z.object({
    activeManifest: z.object({ failure: statusList }),
    ingredientDeltas: z
      .array(z.object({ validationDeltas: z.object({ failure: statusList }) }))
      .default([]),
  }),
});

type Manifest = z.infer<typeof manifestShape>;
type Action = z.infer<typeof actionList>["actions"][number];

const states = { Trusted: "trusted", Valid: "valid", Invalid: "invalid" } as const;

function reportOf(store: z.infer<typeof storeShape>): ProvenanceReport {
  const state = states[store.validation_state];
  const { activeManifest, ingredientDeltas } = store.validation_results;
  const failures = [
    ...activeManifest.failure,
    ...ingredientDeltas.flatMap((delta) => delta.validationDeltas.failure),
  ];
  const manifest = store.manifests[store.active_manifest] ?? manifestShape.parse({});
  const created = actionsOf(manifest).find(({ action }) => action === "c2pa.created");
  const agent = created?.softwareAgent;
  const [generator] = manifest.claim_generator_info;
  const signature = manifest.signature_info;
  return {
    state,
    problems: [...new Set(failures.map(({ code }) => code))],
    digitalSourceType: created?.digitalSourceType ?? null,
    aiGenerated: state === "invalid" ? null : saysAi(manifest),
    softwareAgent: (typeof agent === "string" ? agent : agent?.name) ?? null,
    createdAt: created?.when ?? null,
    claimGenerator:
      generator === undefined ? null : `${generator.name} ${generator.version ?? ""}`.trim(),
    signedBy:
      signature === undefined
        ? null
        : { name: signature.common_name ?? null, organization: signature.issuer ?? null },
    ingredients: manifest.ingredients.map((ingredient) => ({
      title: ingredient.title ?? null,
      relationship: ingredient.relationship,
      hasManifest: ingredient.active_manifest !== undefined,
    })),
  };
}

function actionsOf(manifest: Manifest): Action[] {
  return manifest.assertions
    .filter(({ label }) => /^c2pa\.actions(\.v2)?(__\d+)?$/.test(label))
    .flatMap(({ data }) => actionList.safeParse(data).data?.actions ?? []);
}

function saysAi(manifest: Manifest): boolean | null {
  if (manifest.assertions.some(({ label }) => label === "c2pa.ai-disclosure")) return true;
  const sources = actionsOf(manifest).flatMap(({ digitalSourceType }) => digitalSourceType ?? []);
  return sources.length === 0 ? null : sources.some(isAiSourceType);
}
