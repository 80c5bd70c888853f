import { createHmac, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const prefix = "atl_live_";
const format = /^atl_live_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/**
 * A new key: `atl_live_`, 30 random base62 characters (178 bits), and 6 that are the CRC32 of those,
 * so that a mistyped key is told from an unknown one without a look-up, and scanners know a leaked one.
 */
export function makeKey(): string {
  const body = randomCharacters(30);
  return `${prefix}${body}${checksum(body)}`;
}

/** Whether a text has the form of a key, its check characters included. */
export function isWellFormedKey(text: string): boolean {
  const match = format.exec(text);
  return match !== null && checksum(match[1] ?? "") === match[2];
}

/** What is stored of a key: HMAC-SHA-256 under the server's pepper. */
export function hashKey(key: string, pepper: string): Buffer {
  return createHmac("sha256", pepper).update(key).digest();
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
    // 248 is the largest multiple of 62 in a byte: above it, some characters would come more often.
    for (const byte of randomBytes(count)) {
      if (byte < 248 && text.length < count) text += alphabet.charAt(byte % 62);
    }
  }
  return text;
}
