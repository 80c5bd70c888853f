import { createHmac, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Peppers } from "@atelier/kit";
import type { KeyMode } from "@atelier/schemas";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const format = /^atl_(?:live|test)_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/**
 * Creates a key: `atl_live_` or `atl_test_`, 30 random base62 characters (178 bits), and their CRC32 in 6
 * characters. The checksum detects mistyped keys without a lookup and lets secret scanners recognise leaked
 * ones. The prefix is for readers: the mode of a key is that of its row.
 */
export function makeKey(mode: KeyMode = "live"): string {
  const body = randomCharacters(30);
  return `atl_${mode}_${body}${checksum(body)}`;
}

/** Whether a text has the format of a key with a correct checksum. */
export function isWellFormedKey(text: string): boolean {
  const match = format.exec(text);
  return match !== null && checksum(match[1] ?? "") === match[2];
}

/** The stored hash of a key: HMAC-SHA-256 with the server's pepper. */
export function hashKey(key: string, pepper: string): Buffer {
  return createHmac("sha256", pepper).update(key).digest();
}

/** The hashes of a key with all accepted peppers, the current one first. */
export function hashesOf(key: string, peppers: Peppers): readonly Buffer[] {
  return peppers.map((pepper) => hashKey(key, pepper));
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = "";
  for (let position = 0; position < 6; position++) {
    text = alphabet.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

function randomCharacters(count: number): string {
  let text = "";
  while (text.length < count) {
    // 248 is the largest multiple of 62 below 256; using larger bytes would bias the characters.
    for (const byte of randomBytes(count)) {
      if (byte < 248 && text.length < count) text += alphabet.charAt(byte % 62);
    }
  }
  return text;
}
