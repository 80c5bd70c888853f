import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Checks a token against a list of secrets in constant time, which reveals neither their content nor
 * their length. A missing or empty token never matches.
 */
export function createTokenCheck(
  tokens: readonly (string | null | undefined)[],
): (token: string) => boolean {
  const expected = tokens.flatMap((token) => (token ? [digest(token)] : []));
  return (token) => {
    const givenDigest = digest(token);
    return expected.some((one) => timingSafeEqual(givenDigest, one));
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
