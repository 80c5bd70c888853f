import { createHmac, randomBytes } from "node:crypto";
import { seal, unsealWithAny, type Peppers } from "@atelier/kit";
import type { KeyMode } from "@atelier/schemas";

/**
 * Secrets of webhooks, in the format of Standard Webhooks 1.0: `whsec_` and 24 to 64 bytes in base64.
 * Signing needs the secret itself, so it is stored encrypted instead of hashed.
 */

const prefix = "whsec_";

/** Begins the secrets of test keys; four characters of base64, so that every library decodes it. */
const testMark = "test";

/** Creates a secret of 32 random bytes; one of test keys begins with `whsec_test`. */
export function makeSecret(mode: KeyMode): string {
  return `${prefix}${mode === "test" ? testMark : ""}${randomBytes(32).toString("base64")}`;
}

/** Encrypts a secret for its row, with a key derived from the pepper; it is bound to the webhook. */
export function sealSecret(secret: string, pepper: string, webhookId: string): Buffer {
  return seal(secret, { secret: pepper, purpose, boundTo: webhookId });
}

/**
 * Decrypts a secret of a row.
 *
 * @throws Error when it was sealed with another pepper or for another webhook.
 */
export function openSecret(sealed: Uint8Array, peppers: Peppers, webhookId: string): string {
  const opened = unsealWithAny(sealed, peppers, { purpose, boundTo: webhookId });
  if (opened === null) {
    throw new Error(
      `The secret of webhook ${webhookId} was encrypted with another KEY_PEPPER. Add that value to OLD_KEY_PEPPERS.`,
    );
  }
  return opened.text;
}

const purpose = "atelier webhook secrets";

/**
 * The headers of a delivery: Standard Webhooks 1.0, "Webhook headers". Several secrets give several
 * signatures, of which a receiver accepts any.
 *
 * @param message.timestamp in seconds since 1970.
 */
export function signDelivery(
  message: { readonly id: string; readonly timestamp: number; readonly body: string },
  secrets: readonly string[],
): Readonly<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>> {
  const { id, timestamp, body } = message;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}
