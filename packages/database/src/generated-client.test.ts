import { describe, expect, it } from "vitest";
import { assertClientGenerated } from "./generated-client.ts";

describe("the generated Prisma client", () => {
  it("is there after an installation", () => {
    expect(() => assertClientGenerated()).not.toThrow();
  });

  it("is asked for by its command when it is missing", () => {
    const missing = new URL("./not-generated/client.ts", import.meta.url);
    expect(() => assertClientGenerated(missing)).toThrow('Run "npm run generate"');
  });
});
