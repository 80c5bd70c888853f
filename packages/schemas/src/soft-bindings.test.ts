import { describe, expect, it } from "vitest";
import { readBindingValue, readManifestUrn, softBindingNames } from "./soft-bindings.ts";

describe("the names of soft bindings", () => {
  it("are those of the operator's domain, and the default ones of earlier manifests", () => {
    expect(softBindingNames("com.example.atelier.1")).toEqual({
      watermarks: ["com.example.atelier.1", "atelier.tile.1"],
      fingerprints: ["com.example.atelier.fingerprint.1", "atelier.tile.fingerprint.1"],
    });
    expect(softBindingNames()).toEqual({
      watermarks: ["atelier.tile.1"],
      fingerprints: ["atelier.tile.fingerprint.1"],
    });
  });

  it("include former names once each, after the current one", () => {
    const former = ["com.example.former.1", "com.example.atelier.1", "com.example.former.1"];
    expect(softBindingNames("com.example.atelier.1", former)).toEqual({
      watermarks: ["com.example.atelier.1", "com.example.former.1", "atelier.tile.1"],
      fingerprints: [
        "com.example.atelier.fingerprint.1",
        "com.example.former.fingerprint.1",
        "atelier.tile.fingerprint.1",
      ],
    });
    expect(softBindingNames(undefined, ["com.example.former.1"]).watermarks).toEqual([
      "atelier.tile.1",
      "com.example.former.1",
    ]);
  });
});

describe("the value of a soft binding", () => {
  const base64 = (bytes: Buffer) => bytes.toString("base64");

  it.each([
    ["digits", base64(Buffer.from("9f3c2a7b11d0e845"))],
    ["upper-case digits", base64(Buffer.from("9F3C2A7B11D0E845"))],
    ["bytes", base64(Buffer.from("9f3c2a7b11d0e845", "hex"))],
    ["bytes in base64url", Buffer.from("9f3c2a7b11d0e845", "hex").toString("base64url")],
  ])("is read from %s", (_, value) => {
    expect(readBindingValue(value, 8)).toBe("9f3c2a7b11d0e845");
  });

  it.each(["", "abc", base64(Buffer.from("9f3c2a7b11d0e84")), base64(Buffer.from("g".repeat(16)))])(
    "is null for %j",
    (value) => {
      expect(readBindingValue(value, 8)).toBeNull();
    },
  );
});

describe("the identifier of a manifest", () => {
  it.each([
    ["urn:c2pa:019a9f3c-5f0e-7c31-9b7d-3f5a2c8e1d46", "019a9f3c-5f0e-7c31-9b7d-3f5a2c8e1d46"],
    ["urn:uuid:019a9f3c-5f0e-7c31-9b7d-3f5a2c8e1d46", null],
    ["019a9f3c-5f0e-7c31-9b7d-3f5a2c8e1d46", null],
    ["urn:c2pa:", null],
  ])("%s has the UUID %s", (text, uuid) => {
    expect(readManifestUrn(text)).toBe(uuid);
  });
});
