import * as z from "zod";

/** The algorithm of the watermark in manifests, unless the operator names one of its own domain. */
export const defaultSoftBinding = "atelier.tile.1";

/** The names of the soft-binding algorithms of an installation, the current ones first. */
export interface SoftBindingNames {
  readonly watermarks: readonly [string, ...string[]];
  readonly fingerprints: readonly [string, ...string[]];
}

/**
 * Returns the names of the algorithms: that of the perceptual hash has `fingerprint` before its version.
 * Former names and the default one stay valid, because earlier manifests have them.
 *
 * @param former earlier names of the watermark's algorithm.
 */
export function softBindingNames(
  algorithm = defaultSoftBinding,
  former: readonly string[] = [],
): SoftBindingNames {
  const others = [...new Set([...former, defaultSoftBinding])].filter((name) => name !== algorithm);
  return {
    watermarks: [algorithm, ...others],
    fingerprints: [fingerprintOf(algorithm), ...others.map(fingerprintOf)],
  };
}

function fingerprintOf(name: string): string {
  return name.replace(/\.(?=[^.]*$)/, ".fingerprint.");
}

/** The names that new manifests have. */
export function currentNames({ watermarks, fingerprints }: SoftBindingNames) {
  return { watermark: watermarks[0], fingerprint: fingerprints[0] };
}

const base64 = z
  .string()
  .max(2_000, "must have at most 2,000 characters")
  .regex(/^[A-Za-z0-9+/_-]*={0,2}$/, "must be base64");

const algorithm = z.string().max(200);

const maxResults = z.coerce
  .number()
  .int()
  .min(1)
  .default(10)
  .meta({ description: "The most manifests to return. More than 100 are never returned." });

/** Query of `POST /c2pa/matches/byBinding`. */
export const matchesQuery = z.strictObject({ maxResults });

/** Body of `POST /c2pa/matches/byBinding`. */
export const softBindingQuery = z
  .strictObject({
    alg: algorithm.meta({
      description: "A name of `GET /c2pa/services/supportedAlgorithms`.",
    }),
    value: base64.meta({
      description:
        "The value of the soft binding in base64: the hexadecimal digits as they are in the manifest, or the bytes that they stand for.",
    }),
  })
  .meta({ id: "SoftBindingQuery" });

/** Query of `GET /c2pa/matches/byBinding`. */
export const bindingQuery = softBindingQuery.extend({ maxResults });

/** Query of `POST /c2pa/matches/byContent`. */
export const contentQuery = z.strictObject({
  alg: algorithm.optional().meta({
    description: "Returns only matches that rest on this algorithm.",
  }),
  maxResults,
  hintAlg: algorithm.optional().meta({
    description: "Has no effect: a match rests on the content alone.",
  }),
  hintValue: z
    .string()
    .max(2_000)
    .optional()
    .meta({ description: "Has no effect: a match rests on the content alone." }),
});

/** Query of `GET /c2pa/manifests/{manifestId}`. */
export const manifestQuery = z.strictObject({
  returnActiveManifest: z.enum(["true", "false"]).default("false").meta({
    description:
      "Has no effect: the manifests of ingredients are always left out, since they can describe photographs of clients.",
  }),
});

const algorithms = z.array(z.strictObject({ alg: z.string() }));

/** 200 of `GET /c2pa/services/supportedAlgorithms`. */
export const softBindingAlgorithms = z
  .strictObject({ watermarks: algorithms, fingerprints: algorithms })
  .meta({ id: "SoftBindingAlgorithms" });
export type SoftBindingAlgorithms = z.infer<typeof softBindingAlgorithms>;

/** 200 of `/c2pa/matches/…`. */
export const softBindingMatches = z
  .strictObject({
    matches: z.array(
      z.strictObject({
        manifestId: z.string().meta({ description: "For `GET /c2pa/manifests/{manifestId}`." }),
        similarityScore: z.int().min(0).max(100).optional().meta({
          description:
            "100 when the origin of the content is established (`made_here`), 50 when only a watermark was found (`mark_found`). Not for a query by binding.",
        }),
      }),
    ),
  })
  .meta({ id: "SoftBindingMatches" });
export type SoftBindingMatches = z.infer<typeof softBindingMatches>;

const manifestPrefix = "urn:c2pa:";
const manifestIdPattern =
  /^urn:c2pa:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/** The identifier of a manifest (C2PA 2.4, unique identifiers). */
export function manifestUrn(id: string): string {
  return `${manifestPrefix}${id}`;
}

/** The UUID in the identifier of a manifest; null for other text. */
export function readManifestUrn(text: string): string | null {
  return manifestIdPattern.exec(text.toLowerCase())?.[1] ?? null;
}

/**
 * Reads the value of a soft binding: base64 of hexadecimal digits, or of the bytes that they stand for.
 *
 * @param bytes of the value.
 * @returns lower-case hexadecimal digits; null for a value of another length.
 */
export function readBindingValue(value: string, bytes: number): string | null {
  const decoded = Buffer.from(value, "base64");
  if (decoded.length === bytes) return decoded.toString("hex");
  const digits = decoded.toString("latin1").toLowerCase();
  return digits.length === 2 * bytes && /^[0-9a-f]*$/.test(digits) ? digits : null;
}
