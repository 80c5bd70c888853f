import { z } from "zod";
import {
  isNaturalSource,
  syntheticSourceOf,
  trainedComposite,
  type SyntheticSource,
} from "./manifest.ts";
import { detectInspectedFormat } from "./file-format.ts";
import type { OwnSigner } from "./own-signers.ts";
import { readManifest, type ManifestReading } from "./read-manifest.ts";
import { readXmpSourceType } from "./xmp.ts";

/** An ingredient, as stated by the manifest. */
export interface ReportedIngredient {
  readonly title: string | null;
  /** `inputTo`, `componentOf` or `parentOf`. */
  readonly relationship: string;
  /** Whether the ingredient's own manifest is included. */
  readonly hasManifest: boolean;
}

/** The statements of a manifest. Statements of an invalid manifest prove nothing. */
export interface ProvenanceReport extends Omit<ManifestReading, "report" | "isSignerTrusted"> {
  /** A URI of the IPTC digital source type vocabulary. */
  readonly digitalSourceType: string | null;
  /**
   * How a valid manifest says the image was generated; null when it does not declare it synthetic.
   */
  readonly synthetic: SyntheticSource | null;
  /**
   * Whether a valid manifest declares that a trained model contributed to the image. Null when it
   * makes no statement, and for a rule-based image or a composite, which are synthetic as well.
   */
  readonly aiGenerated: boolean | null;
  /**
   * The XMP statement, which often survives re-encoding. It is not signed, so anyone can write it.
   */
  readonly xmp: {
    readonly digitalSourceType: string;
    readonly synthetic: SyntheticSource | null;
  } | null;
  /** The model or program that generated or edited the image. */
  readonly softwareAgent: string | null;
  readonly createdAt: string | null;
  /** Actions applied to the image, such as `c2pa.created`, in order. */
  readonly actions: readonly string[];
  /** The id of Atelier's watermark in the manifest. */
  readonly watermarkId: string | null;
  readonly claimGenerator: string | null;
  /** Common name and organization of the signing certificate. */
  readonly signedBy: { readonly name: string | null; readonly organization: string | null } | null;
  /** Whether the manifest is valid and one of this installation's certificates signed it. */
  readonly signedHere: boolean;
  readonly ingredients: readonly ReportedIngredient[];
}

/**
 * Reads and verifies the C2PA manifest in an image (see `readManifest`), and returns its
 * statements.
 *
 * @param options.ownSigners the signing certificates of this installation, current and earlier.
 *   Without them, no file counts as signed here.
 * @throws InvalidImageError when the bytes are not a PNG, JPEG, WebP, AVIF, GIF or SVG image.
 */
export async function verifyProvenance(
  bytes: Uint8Array,
  options: { readonly trustAnchorsPem: string; readonly ownSigners?: readonly OwnSigner[] },
): Promise<ProvenanceReport> {
  const { report, isSignerTrusted: _, ...reading } = await readManifest(bytes, options);
  const xmp = await readXmp(bytes);
  if (report === null) return { ...reading, ...nothingKnown, xmp };
  const store = storeShape.parse(report);
  const manifest = store.manifests[store.active_manifest] ?? manifestShape.parse({});
  const { state } = reading;
  const signedHere = state !== "invalid" && (await isSignedBy(options.ownSigners, manifest, bytes));
  return { ...reading, ...statementsOf(manifest, state), signedHere, xmp };
}

/**
 * Whether one of these certificates signed the manifest: the file is read again with
 * the authority of that certificate as the only trust anchor, and the serial number is compared. The
 * library does not return the certificate itself.
 */
async function isSignedBy(
  signers: readonly OwnSigner[] = [],
  { signature_info: signature }: Manifest,
  bytes: Uint8Array,
): Promise<boolean> {
  for (const { serialNumber, authorityPem } of signers) {
    if (serialNumber !== signature?.cert_serial_number) continue;
    const reading = await readManifest(bytes, { trustAnchorsPem: authorityPem });
    if (reading.isSignerTrusted) return true;
  }
  return false;
}

/**
 * Reads what a file says of how its image was made, signed or not: an image that is called synthetic stays
 * so when a tool changes it.
 *
 * @returns a URI of the IPTC vocabulary; null if the file states none, or cannot be read.
 */
export async function readSourceType(
  bytes: Uint8Array,
  options: { readonly trustAnchorsPem: string },
): Promise<string | null> {
  const report = await verifyProvenance(bytes, options).catch(() => null);
  if (report === null) return null;
  const { aiGenerated, digitalSourceType, xmp } = report;
  const stated = [digitalSourceType, xmp?.digitalSourceType ?? null].filter((one) => one !== null);
  const synthetic = stated.find((one) => syntheticSourceOf(one) !== null);
  if (synthetic === undefined && aiGenerated === true) return trainedComposite;
  return synthetic ?? stated[0] ?? null;
}

async function readXmp(bytes: Uint8Array): Promise<ProvenanceReport["xmp"]> {
  // No decoder reads an SVG.
  if (detectInspectedFormat(bytes) === "svg") return null;
  const digitalSourceType = await readXmpSourceType(bytes);
  if (digitalSourceType === null) return null;
  return { digitalSourceType, synthetic: syntheticSourceOf(digitalSourceType) };
}

const nothingKnown = {
  digitalSourceType: null,
  synthetic: null,
  aiGenerated: null,
  softwareAgent: null,
  createdAt: null,
  actions: [],
  watermarkId: null,
  claimGenerator: null,
  signedBy: null,
  signedHere: false,
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
    .object({
      common_name: z.string().optional(),
      issuer: z.string().optional(),
      cert_serial_number: z.string().optional(),
    })
    .optional(),
});

/** The parts of the library's report that are used here; a signer controls all assertion values. */
const storeShape = z.object({
  active_manifest: z.string(),
  manifests: z.record(z.string(), manifestShape),
});

type Manifest = z.infer<typeof manifestShape>;
type Action = z.infer<typeof actionList>["actions"][number];

function statementsOf(
  manifest: Manifest,
  state: ManifestReading["state"],
): Omit<ProvenanceReport, keyof ManifestReading | "signedHere" | "xmp"> {
  const making = ["c2pa.created", "c2pa.edited"];
  const created = actionsOf(manifest).find(
    ({ action, digitalSourceType }) => making.includes(action) || digitalSourceType !== undefined,
  );
  const agent = created?.softwareAgent;
  const [generator] = manifest.claim_generator_info;
  const signature = manifest.signature_info;
  return {
    digitalSourceType: created?.digitalSourceType ?? null,
    ...(state === "invalid" ? { synthetic: null, aiGenerated: null } : makingOf(manifest)),
    softwareAgent: (typeof agent === "string" ? agent : agent?.name) ?? null,
    createdAt: created?.when ?? null,
    actions: actionsOf(manifest).map(({ action }) => action),
    watermarkId: softBindingOf(manifest),
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

/** Of any algorithm: operators name it. Values of other services are not registered. */
const softBinding = z.object({
  blocks: z.tuple([z.object({ value: z.string().regex(/^[0-9a-f]{16}$/) })]),
});

function softBindingOf({ assertions }: Manifest): string | null {
  for (const { label, data } of assertions) {
    const binding = label.startsWith("c2pa.soft-binding") ? softBinding.safeParse(data).data : null;
    if (binding) return binding.blocks[0].value;
  }
  return null;
}

function makingOf(manifest: Manifest): Pick<ProvenanceReport, "synthetic" | "aiGenerated"> {
  const types = actionsOf(manifest).flatMap(({ digitalSourceType }) => digitalSourceType ?? []);
  const sources = types.map(syntheticSourceOf);
  const isDisclosed = manifest.assertions.some(({ label }) => label === "c2pa.ai-disclosure");
  if (isDisclosed || sources.includes("trained_model")) {
    return { synthetic: "trained_model", aiGenerated: true };
  }
  const other = sources.find((source) => source !== null);
  if (other !== undefined) return { synthetic: other, aiGenerated: null };
  const isNatural = types.length > 0 && types.every(isNaturalSource);
  return { synthetic: null, aiGenerated: isNatural ? false : null };
}
