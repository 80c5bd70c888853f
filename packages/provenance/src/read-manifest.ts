import { c2paSettings, loadC2pa } from "./c2pa.ts";
import { detectInspectedFormat, inspectedMediaTypes } from "./file-format.ts";

/** The result of verifying a file's manifest. */
export interface ManifestReading {
  /**
   * - `trusted`: intact, and signed under one of the trust anchors;
   * - `valid`: intact, and signed by a certificate that no trust anchor covers;
   * - `invalid`: the image or its manifest was modified, or the manifest violates the
   *   specification;
   * - `absent`: the file has no manifest.
   */
  readonly state: "trusted" | "valid" | "invalid" | "absent";
  /** C2PA failure codes such as `assertion.dataHash.mismatch`. */
  readonly problems: readonly string[];
  /**
   * The time stamp (RFC 3161) of the signature, and whether one of the trust anchors covers its
   * authority; null without a valid time stamp.
   */
  readonly timeStamp: { readonly at: string; readonly trusted: boolean } | null;
  /** Whether a trust anchor covers the signer; also when one of an ingredient's is not covered. */
  readonly isSignerTrusted: boolean;
  /**
   * The library's report, including the signer's statements; null when it could not read the
   * manifest.
   */
  readonly report: unknown;
}

/** The validation results in the library's report. */
interface Judgement {
  readonly active_manifest: string;
  readonly manifests: Readonly<
    Record<
      string,
      { readonly claim_version?: number; readonly signature_info?: { readonly time?: string } }
    >
  >;
  readonly validation_state: keyof typeof states;
  readonly validation_results: {
    readonly activeManifest: Failures & { readonly success: readonly Finding[] };
    readonly ingredientDeltas?: readonly { readonly validationDeltas: Failures }[];
  };
}

interface Failures {
  readonly failure: readonly Finding[];
}

interface Finding {
  readonly code: string;
}

const states = { Trusted: "trusted", Valid: "valid", Invalid: "invalid" } as const;

/**
 * Reads and verifies the C2PA manifest in an image: signature, hashes of pixels and assertions,
 * trust. It makes no requests, so a remote manifest counts as absent.
 *
 * @throws InvalidImageError when the bytes are not a PNG, JPEG, WebP, AVIF, GIF or SVG image.
 */
export async function readManifest(
  bytes: Uint8Array,
  options: { readonly trustAnchorsPem: string },
): Promise<ManifestReading> {
  const mediaType = inspectedMediaTypes[detectInspectedFormat(bytes)];
  const { Reader } = await loadC2pa();
  let json: string;
  try {
    using reader = await Reader.fromBytes(mediaType, bytes, c2paSettings(options.trustAnchorsPem));
    json = reader.json();
  } catch (error) {
    // The library throws strings.
    const reason = String(error);
    const isAbsent = /\b(JumbfNotFound|RemoteManifestUrl)\b/.test(reason);
    const nothing = { timeStamp: null, isSignerTrusted: false, report: null };
    return isAbsent
      ? { ...nothing, state: "absent", problems: [] }
      : { ...nothing, state: "invalid", problems: [reason] };
  }
  const report = JSON.parse(json) as Judgement;
  const { activeManifest, ingredientDeltas = [] } = report.validation_results;
  const failures = [
    ...activeManifest.failure,
    ...ingredientDeltas.flatMap((delta) => delta.validationDeltas.failure),
  ];
  return {
    state: states[report.validation_state],
    problems: [...new Set(failures.map(({ code }) => code))],
    timeStamp: timeStampIn(report),
    isSignerTrusted: activeManifest.success.some(
      ({ code }) => code === "signingCredential.trusted",
    ),
    report,
  };
}

function timeStampIn(report: Judgement): ManifestReading["timeStamp"] {
  const manifest = report.manifests[report.active_manifest];
  const at = manifest?.signature_info?.time;
  const codes = new Set(report.validation_results.activeManifest.success.map(({ code }) => code));
  if (at === undefined || !codes.has("timeStamp.validated")) return null;
  // For claims of C2PA 1, the library trusts every time-stamp authority.
  const isJudged = (manifest?.claim_version ?? 1) > 1;
  return { at, trusted: isJudged && codes.has("timeStamp.trusted") };
}
