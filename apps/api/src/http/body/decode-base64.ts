import { createHash } from "node:crypto";

/** Decodes base64 text (RFC 4648, also its alphabet for URLs) that arrives in parts. */
export interface Base64Decoder {
  /**
   * @param text ASCII, with any escapes of JSON resolved.
   * @returns why it cannot be decoded; null if it can.
   */
  write(text: string): "invalid" | "too_large" | null;
  /** The bytes so far, as a view until the next call. */
  bytes(): Buffer;
  /** Ends the text. Its last group may lack its padding. */
  end(): { readonly bytes: Buffer; readonly sha256: string } | "invalid" | "too_large";
}

/** Memory for the first bytes of a result; more is allocated when they are there. */
const firstBytes = 65_536;

/** @param maxBytes maximum size of the result. */
export function createBase64Decoder(maxBytes: number): Base64Decoder {
  let target = Buffer.allocUnsafeSlow(Math.min(firstBytes, maxBytes));
  const digest = createHash("sha256");
  let length = 0;
  let rest = "";
  let isPadded = false;

  /** Frees the memory before at once: the collector would keep both for a while. */
  function resize(bytes: number): void {
    target = Buffer.from(target.buffer.transfer(bytes));
  }

  /** @param text complete groups, or the last one without its padding. */
  function append(text: string): "invalid" | "too_large" | null {
    const expected = Math.floor((text.length * 3) / 4);
    if (length + expected > maxBytes) return "too_large";
    const needed = length + expected;
    if (needed > target.byteLength)
      resize(Math.min(Math.max(needed, Math.ceil(1.5 * length)), maxBytes));
    // Characters that are no digits are skipped.
    if (target.write(text, length, "base64") !== expected) return "invalid";
    digest.update(target.subarray(length, length + expected));
    length += expected;
    return null;
  }

  return {
    write(text) {
      const digits = text.endsWith("=") ? text.replace(/={1,2}$/, "") : text;
      if (isPadded && digits !== "") return "invalid";
      isPadded ||= digits !== text;
      const all = rest + digits;
      const complete = all.length - (all.length % 4);
      rest = all.slice(complete);
      return append(all.slice(0, complete));
    },
    bytes: () => target.subarray(0, length),
    end() {
      if (rest.length === 1) return "invalid";
      const problem = append(rest);
      if (problem !== null) return problem;
      if (length < target.byteLength) resize(length);
      return { bytes: target, sha256: digest.digest("hex") };
    },
  };
}
