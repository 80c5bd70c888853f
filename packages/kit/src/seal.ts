import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** How a text is encrypted; it can be decrypted with the same values only. */
export interface SealOptions {
  readonly secret: string;
  /** Separates texts that are sealed with the same secret for different uses. */
  readonly purpose: string;
  /** The owner of the text, such as the id of its row; it is authenticated, not contained. */
  readonly boundTo?: string;
}

const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts and authenticates a text with AES-256-GCM (NIST SP 800-38D) and a key derived with
 * HKDF-SHA-256 (RFC 5869).
 *
 * @returns nonce, authentication tag and ciphertext.
 */
export function seal(text: string, options: SealOptions): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", keyOf(options), nonce).setAAD(boundData(options));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/**
 * Decrypts a sealed text.
 *
 * @throws Error when it was changed or sealed with other options.
 */
export function unseal(sealed: Uint8Array, options: SealOptions): string {
  const nonce = sealed.subarray(0, nonceBytes);
  const decipher = createDecipheriv("aes-256-gcm", keyOf(options), nonce, {
    authTagLength: tagBytes,
  })
    .setAAD(boundData(options))
    .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
  const text = decipher.update(sealed.subarray(nonceBytes + tagBytes));
  return Buffer.concat([text, decipher.final()]).toString("utf8");
}

/**
 * Decrypts a text that was sealed with one of several secrets.
 *
 * @returns the text and its secret; null when it was changed or sealed with another secret.
 */
export function unsealWithAny(
  sealed: Uint8Array,
  secrets: readonly string[],
  options: Omit<SealOptions, "secret">,
): { readonly text: string; readonly secret: string } | null {
  for (const secret of secrets) {
    try {
      return { text: unseal(sealed, { ...options, secret }), secret };
    } catch {
      // Another secret may open it.
    }
  }
  return null;
}

function keyOf({ secret, purpose }: SealOptions): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));
}

function boundData({ boundTo = "" }: SealOptions): Buffer {
  return Buffer.from(boundTo);
}
