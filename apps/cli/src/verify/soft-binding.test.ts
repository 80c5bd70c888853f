import { expect, it } from "vitest";
import { createEntries } from "./soft-binding.ts";

const flags = { identifier: 61, contact: "images@example.com", url: "https://example.com/marks" };
const now = new Date("2026-11-25T12:00:00Z");

it("prints an entry of the C2PA list for watermark and fingerprint", () => {
  const { json, text } = createEntries(
    {
      SOFT_BINDING_ALGORITHM: "com.example.atelier.1",
      PUBLIC_URL: "https://images.example.com",
    },
    flags,
    now,
  );
  expect(JSON.parse(text)).toEqual(json);
  const common = {
    deprecated: false,
    decodedMediaTypes: ["image"],
    entryMetadata: {
      description: expect.any(String),
      dateEntered: "2026-11-25T12:00:00.000Z",
      contact: "images@example.com",
      informationalUrl: "https://example.com/marks",
    },
    softBindingResolutionApis: ["https://images.example.com/c2pa"],
  };
  expect(json).toEqual([
    { ...common, identifier: 61, alg: "com.example.atelier.1", type: "watermark" },
    { ...common, identifier: 62, alg: "com.example.atelier.fingerprint.1", type: "fingerprint" },
  ]);
});

it("prints deprecated entries of former names", () => {
  const environment = {
    SOFT_BINDING_ALGORITHM: "com.example.atelier.1",
    OLD_SOFT_BINDING_ALGORITHMS: "com.example.former.1,com.example.first.1",
    PUBLIC_URL: "https://images.example.com",
  };
  const { json } = createEntries(environment, { ...flags, former: true }, now);
  expect(json).toMatchObject(
    [
      "com.example.former.1",
      "com.example.former.fingerprint.1",
      "com.example.first.1",
      "com.example.first.fingerprint.1",
    ].map((alg, index) => ({ alg, identifier: 61 + index, deprecated: true })),
  );
  const { OLD_SOFT_BINDING_ALGORITHMS: _, ...withoutFormer } = environment;
  expect(() => createEntries(withoutFormer, { ...flags, former: true }, now)).toThrow(
    /OLD_SOFT_BINDING_ALGORITHMS is not set/,
  );
});

it("asks for a name of the operator's domain", () => {
  const environment = { PUBLIC_URL: "https://images.example.com" };
  expect(() => createEntries(environment, flags, now)).toThrow(/SOFT_BINDING_ALGORITHM is not set/);
});
