import { sign } from "node:crypto";
import type { SigningCredential } from "./signing-credential.ts";

/** Labels and values of RFC 9052 (COSE), RFC 9053 (algorithms) and RFC 9360 (X.509). */
const cose = { tagSign1: 18, alg: 1, es256: -7, x5chain: 33 } as const;

const signatureBytes = 64;

/** Signs a C2PA claim as `COSE_Sign1` with ES256 and a detached payload (C2PA 2.2, section 13.2). */
export function createClaimSigner(credential: SigningCredential): {
  readonly alg: string;
  /** The exact size of every result, in bytes: the library leaves this much room. */
  readonly reserveSize: number;
  sign(claim: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
} {
  const [leaf = Buffer.alloc(0), ...intermediates] = credential.chain.map(byteString);
  const chain = intermediates.length === 0 ? leaf : array(leaf, ...intermediates);
  const protectedHeader = byteString(
    map([integer(cose.alg), integer(cose.es256)], [integer(cose.x5chain), chain]),
  );
  const envelope = (signature: Uint8Array): Buffer =>
    tagged(cose.tagSign1, array(protectedHeader, map(), nil, byteString(signature)));

  return {
    alg: "es256",
    reserveSize: envelope(new Uint8Array(signatureBytes)).length,
    sign: async (claim) => {
      const toBeSigned = array(
        textString("Signature1"),
        protectedHeader,
        byteString(new Uint8Array()),
        byteString(claim),
      );
      const key = { key: credential.privateKey, dsaEncoding: "ieee-p1363" } as const;
      return Uint8Array.from(envelope(sign("sha256", toBeSigned, key)));
    },
  };
}

// The little of CBOR (RFC 8949) that the envelope needs.

const nil = Buffer.from([0xf6]);

function integer(value: number): Buffer {
  return value < 0 ? head(1, -1 - value) : head(0, value);
}

function byteString(bytes: Uint8Array): Buffer {
  return Buffer.concat([head(2, bytes.length), bytes]);
}

function textString(text: string): Buffer {
  const bytes = Buffer.from(text, "utf8");
  return Buffer.concat([head(3, bytes.length), bytes]);
}

function array(...items: readonly Buffer[]): Buffer {
  return Buffer.concat([head(4, items.length), ...items]);
}

function map(...entries: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([head(5, entries.length), ...entries.flat()]);
}

function tagged(tag: number, item: Buffer): Buffer {
  return Buffer.concat([head(6, tag), item]);
}

function head(majorType: number, argument: number): Buffer {
  const type = majorType << 5;
  if (argument < 24) return Buffer.from([type | argument]);
  if (argument < 0x100) return Buffer.from([type | 24, argument]);
  if (argument < 0x1_0000) return Buffer.from([type | 25, argument >> 8, argument & 0xff]);
  const bytes = Buffer.from([type | 26, 0, 0, 0, 0]);
  bytes.writeUInt32BE(argument, 1);
  return bytes;
}
