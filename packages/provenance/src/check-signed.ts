import { createHash, hash, verify, type X509Certificate } from "node:crypto";
import type { ImageFormat } from "@atelier/kit";
import { array, byteString, decodeCbor, textString, type CborValue } from "./cbor.ts";
import { findCbor, hashedBytes, readBoxes } from "./jumbf.ts";
import { findStore } from "./manifest-slot.ts";

type CborMap = { readonly [key: string]: CborValue };

/**
 * Checks a file that this installation has just signed, from its finished bytes: the place of the
 * manifest, the hash of all other bytes, the hash of each assertion, the certificate and the signature of
 * the claim. Trust in the certificate is not judged, and neither are time stamps and the manifests of
 * ingredients: the library does that.
 *
 * @param certificate the signing certificate of the installation.
 * @throws Error that names what does not hold.
 */
export function checkSignedFile(
  format: ImageFormat,
  file: Buffer,
  certificate: X509Certificate,
  now: Date,
): void {
  const { start, length, store } = findStore(format, file);
  const [root, ...others] = readBoxes(store);
  const manifest = root?.boxes.at(-1)?.boxes;
  must(manifest !== undefined && others.length === 0, "the structure of the store");
  const assertions = manifest.find(({ label }) => label === "c2pa.assertions")?.boxes ?? [];
  const contentOf = (boxes: typeof assertions, label: string): Buffer => {
    const content = findCbor(boxes, label);
    return store.subarray(content.start, content.end);
  };

  const binding = decodeCbor(contentOf(assertions, "c2pa.hash.data")) as CborMap;
  const [exclusion, ...rest] = binding["exclusions"] as readonly CborMap[];
  const isExcluded = exclusion?.["start"] === start && exclusion["length"] === length;
  must(rest.length === 0 && isExcluded, "the excluded range");
  const digest = createHash("sha256")
    .update(file.subarray(0, start))
    .update(file.subarray(start + length))
    .digest();
  must(binding["alg"] === "sha256" && isEqual(binding["hash"], digest), "the hash of the file");

  const claim = contentOf(manifest, "c2pa.claim.v2");
  const stated = decodeCbor(claim) as CborMap;
  const references = [
    ...((stated["created_assertions"] ?? []) as readonly CborMap[]),
    ...((stated["gathered_assertions"] ?? []) as readonly CborMap[]),
  ];
  const present = assertions.filter(({ type }) => type === "jumb");
  must(references.length === present.length, "the number of assertions");
  for (const box of present) {
    const reference = references.find(
      ({ url }) => url === `self#jumbf=c2pa.assertions/${box.label}`,
    );
    const actual = hash("sha256", hashedBytes(store, box), "buffer");
    must(isEqual(reference?.["hash"], actual), `the hash of ${box.label}`);
  }

  const envelope = decodeCbor(contentOf(manifest, "c2pa.signature"));
  const [header, , payload, signature] = envelope as readonly CborValue[];
  must(header instanceof Buffer && signature instanceof Buffer, "the envelope of the signature");
  // The label of x5chain: one certificate, or an array with the signing certificate first.
  const chain = (decodeCbor(header) as CborMap)["33"];
  const leaf = Array.isArray(chain) ? (chain as readonly CborValue[])[0] : chain;
  must(leaf instanceof Buffer && certificate.raw.equals(leaf), "the certificate");
  const isCurrent = now >= certificate.validFromDate && now <= certificate.validToDate;
  must(isCurrent, "the validity of the certificate");
  // The signed data with a detached payload: Sig_structure of RFC 9052, section 4.4.
  const signed = array(
    textString("Signature1"),
    byteString(header),
    byteString(new Uint8Array()),
    byteString(claim),
  );
  const key = { key: certificate.publicKey, dsaEncoding: "ieee-p1363" } as const;
  must(payload === null && verify("sha256", signed, key, signature), "the signature");
}

function isEqual(value: CborValue | undefined, bytes: Buffer): boolean {
  return value instanceof Buffer && bytes.equals(value);
}

function must(holds: boolean, subject: string): asserts holds {
  if (!holds) throw new Error(`A signed file is not valid: ${subject}.`);
}
