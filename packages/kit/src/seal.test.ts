import { describe, expect, it } from "vitest";
import { seal, unseal } from "./seal.ts";

const options = { secret: "a secret", purpose: "tests", boundTo: "row 1" };

describe("a sealed text", () => {
  it("is decrypted with the same options", () => {
    expect(unseal(seal("Grüße", options), options)).toBe("Grüße");
    expect(unseal(seal("", { secret: "s", purpose: "p" }), { secret: "s", purpose: "p" })).toBe("");
  });

  it("differs each time and does not contain the text", () => {
    const [first, second] = [seal("the text", options), seal("the text", options)];
    expect(first.equals(second)).toBe(false);
    expect(first.includes("the text")).toBe(false);
  });

  it.each([{ secret: "another" }, { purpose: "another" }, { boundTo: "row 2" }])(
    "is not decrypted with %o",
    (changed) => {
      const sealed = seal("the text", options);
      expect(() => unseal(sealed, { ...options, ...changed })).toThrow();
    },
  );

  it("is not decrypted when any byte is changed or missing", () => {
    const sealed = seal("the text", options);
    for (let index = 0; index < sealed.byteLength; index++) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(sealed.readUInt8(index) ^ 1, index);
      expect(() => unseal(changed, options)).toThrow();
      expect(() => unseal(sealed.subarray(0, index), options)).toThrow();
    }
  });
});
