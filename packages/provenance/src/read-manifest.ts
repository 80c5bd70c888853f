import { c2paSettings, loadC2pa } from "./c2pa.ts";
import { detectFormat, mediaTypes } from "./image-format.ts";

/** What checking the manifest in a file came to. */
export interface ManifestReading {
  /**
   * - `trusted`: whole, and signed under one of the trust anchors;
   * - `valid`: whole, and signed by somebody that no trust anchor vouches for;
   * - `invalid`: the image or its manifest was changed, or the manifest breaks the rules;
   * - `absent`: there is no manifest in the file.
   */
  readonly state: "trusted" | "valid" | "invalid" | "absent";
  /** C2PA failure codes such as `assertion.dataHash.mismatch`. */
  readonly problems: readonly string[];
  /**
   * When an independent authority saw the signature (RFC 3161), and whether one of the trust anchors
   * vouches for that authority; null without a time stamp that holds.
   */
  readonly timeStamp: { readonly at: string; readonly trusted: boolean } | null;
  /** The library's report, with statements of whoever signed; null when it could not read any. */
  readonly report: unknown;
}

/** The part of the library's report that is its own judgement. */
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
 * Reads and checks the C2PA manifest in an image: signature, hashes of pixels and assertions,
 * trust. Nothing is fetched: a manifest kept elsewhere counts as absent.
 *
 * @throws InvalidImageError when the bytes are not a PNG, JPEG or WebP image.
 */
export async function readManifest(
  bytes: Uint8Array,
  options: { readonly trustAnchorsPem: string },
): Promise<ManifestReading> {
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
    return isAbsent
      ? { state: "absent", problems: [], timeStamp: null, report: null }
      : { state: "invalid", problems: [reason], timeStamp: null, report: null };
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
    report,
  };
}

function timeStampIn(report: Judgement): ManifestReading["timeStamp"] {
  const manifest = report.manifests[report.active_manifest];
  const at = manifest?.signature_info?.time;
  const codes = new Set(report.validation_results.activeManifest.success.map(({ code }) => code));
  if (at === undefined || !codes.has("timeStamp.validated")) return null;
  // In a claim of C2PA 1, the library trusts every authority.
  const isJudged = (manifest?.claim_version ?? 1) > 1;
  return { at, trusted: isJudged && codes.has("timeStamp.trusted") };
}
