import { sign } from "node:crypto";
import { array, byteString, integer, map, nil, tagged, textString } from "./cbor.ts";
import type { SigningCredential } from "./signing-credential.ts";
import { TimeStampError, type StampTime } from "./time-stamp.ts";

/** Labels and values of RFC 9052 (COSE), RFC 9053 (algorithms) and RFC 9360 (X.509). */
const cose = { tagSign1: 18, alg: 1, es256: -7, x5chain: 33 } as const;

const signatureBytes = 64;

/** Space reserved for a time stamp, in bytes. With its certificates, one takes 1,000 to 8,000. */
const timeStampRoom = 10_240;
/** CBOR encodes every length from here to 65,535 in the same number of bytes. */
const minLength = 256;

export interface ClaimSigner {
  readonly alg: string;
  /** The exact size of every result in bytes; the library reserves this much space. */
  readonly reserveSize: number;
  sign(claim: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * Signs a C2PA claim as `COSE_Sign1` with ES256 and a detached payload (C2PA 2.2, section 13.2),
 * and adds a time stamp to the signature if an authority is configured (section 10.3.2.5).
 */
export function createClaimSigner(
  credential: SigningCredential,
  stampTime: StampTime | null,
): ClaimSigner {
  const [leaf = Buffer.alloc(0), ...intermediates] = credential.chain.map(byteString);
  const chain = intermediates.length === 0 ? leaf : array(leaf, ...intermediates);
  const protectedHeader = byteString(
    map([integer(cose.alg), integer(cose.es256)], [integer(cose.x5chain), chain]),
  );
  // The signed data: Sig_structure of RFC 9052, section 4.4.
  const covered = (context: string, payload: Uint8Array): Buffer =>
    array(textString(context), protectedHeader, byteString(new Uint8Array()), byteString(payload));
  const envelope = (signature: Uint8Array, unprotectedHeader: Buffer): Buffer =>
    tagged(cose.tagSign1, array(protectedHeader, unprotectedHeader, nil, byteString(signature)));

  async function stamp(signature: Uint8Array): Promise<Buffer> {
    if (stampTime === null) return map();
    // Section 10.3.2.5.3: the payload of a countersignature is the encoded signature.
    return stampedHeader(await stampTime(covered("CounterSignature", byteString(signature))));
  }

  const placeholder = stampTime === null ? map() : stampedHeader(new Uint8Array(minLength));
  return {
    alg: "es256",
    reserveSize: envelope(new Uint8Array(signatureBytes), placeholder).length,
    sign: async (claim) => {
      const key = { key: credential.privateKey, dsaEncoding: "ieee-p1363" } as const;
      const signature = sign("sha256", covered("Signature1", claim), key);
      return Uint8Array.from(envelope(signature, await stamp(signature)));
    },
  };
}

/** The unprotected header with a `TimeStampToken`, padded to a constant size. */
function stampedHeader(token: Uint8Array): Buffer {
  const padding = timeStampRoom - token.length;
  if (token.length < minLength || padding < minLength) {
    throw new TimeStampError(
      `The time stamp has ${token.length} bytes: ${minLength} to ${timeStampRoom - minLength} fit.`,
    );
  }
  const tokens = array(map([textString("val"), byteString(token)]));
  return map(
    [textString("sigTst2"), map([textString("tstTokens"), tokens])],
    [textString("pad"), byteString(new Uint8Array(padding))],
  );
}
