import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Tells whether what somebody sent is one of some secrets; one that is absent or empty is none. How
 * long that takes says nothing about them, nor how long they are.
 */
export function createTokenCheck(
  tokens: readonly (string | null | undefined)[],
): (given: string) => boolean {
  const expected = tokens.flatMap((token) => (token ? [digest(token)] : []));
  return (given) => {
    const givenDigest = digest(given);
    return expected.some((one) => timingSafeEqual(givenDigest, one));
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
