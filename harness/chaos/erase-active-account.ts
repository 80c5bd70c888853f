import { beginErasure } from "@atelier/accounts";
import type { Site } from "./site.ts";

/** A PNG's header, which is all that the API reads of an upload. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const uploadsAtOnce = 8;

/**
 * Erases an account while it uploads images. Its requests may succeed, be refused or break; the audit
 * finds uploads that are left.
 *
 * @throws Error when the account could not be erased.
 */
export async function eraseActiveAccount({ stack, direct }: Site): Promise<void> {
  const account = await stack.createAccount("1");
  const upload = () =>
    fetch(`${stack.url}/v1/uploads`, {
      method: "POST",
      headers: { Authorization: `Bearer ${account.key}`, "Content-Type": "image/png" },
      body: new Uint8Array(png),
    }).then((response) => response.arrayBuffer());
  const first = Array.from({ length: uploadsAtOnce }, upload);
  await Promise.race(first.map((uploading) => uploading.catch(() => undefined)));
  const erasing = beginErasure(direct, account.accountId);
  await Promise.allSettled([...first, ...Array.from({ length: uploadsAtOnce }, upload)]);
  const { kind } = await erasing;
  if (kind !== "begun") throw new Error(`the erasure was ${kind}`);
}
