import type { Provider } from "../../provider.ts";
import { createBuiltinProvider } from "./builtin.ts";
import { markPicture, markSvg } from "./test-mark.ts";

/**
 * The provider of test jobs: draws with the built-in models, and marks every picture visibly, so that no
 * free image passes for a paid one.
 */
export function createTestProvider(): Provider {
  const builtin = createBuiltinProvider();
  return {
    ...builtin,
    async generate(request, call) {
      const outcome = await builtin.generate(request, call);
      if (outcome.kind !== "image") return outcome;
      const { image, svg = null } = outcome;
      return {
        ...outcome,
        image: { ...image, bytes: await markPicture(image.bytes), mediaType: "image/png" },
        svg: svg === null ? null : markSvg(svg),
      };
    },
  };
}
