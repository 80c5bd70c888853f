import { z } from "zod";
import { isAiSourceType } from "./manifest.ts";
import { readManifest, type ManifestReading } from "./read-manifest.ts";

/** An image that went into another, as its manifest tells. */
export interface ReportedIngredient {
  readonly title: string | null;
  /** `inputTo`, `componentOf` or `parentOf`. */
  readonly relationship: string;
  /** It has a manifest of its own, which is kept. */
  readonly hasManifest: boolean;
}

/** What a manifest says about an image. Statements of an invalid manifest prove nothing. */
export interface ProvenanceReport extends Omit<ManifestReading, "report"> {
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
 * Reads and checks the C2PA manifest in an image (see `readManifest`), and says what it states.
 *
 * @throws InvalidImageError when the bytes are not a PNG, JPEG or WebP image.
 */
export async function verifyProvenance(
  bytes: Uint8Array,
  options: { readonly trustAnchorsPem: string },
): Promise<ProvenanceReport> {
  const { report, ...reading } = await readManifest(bytes, options);
  if (report === null) return { ...reading, ...nothingKnown };
  const store = storeShape.parse(report);
  const manifest = store.manifests[store.active_manifest] ?? manifestShape.parse({});
  return { ...reading, ...statementsOf(manifest, reading.state) };
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
});

type Manifest = z.infer<typeof manifestShape>;
type Action = z.infer<typeof actionList>["actions"][number];

function statementsOf(
  manifest: Manifest,
  state: ManifestReading["state"],
): Omit<ProvenanceReport, keyof ManifestReading> {
  const created = actionsOf(manifest).find(({ action }) => action === "c2pa.created");
  const agent = created?.softwareAgent;
  const [generator] = manifest.claim_generator_info;
  const signature = manifest.signature_info;
  return {
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
