import { describe, expect, it } from "vitest";
import { assertMayMint } from "./minting.ts";

const soon = new Date("2027-01-01T00:00:00Z");
const later = new Date("2027-02-01T00:00:00Z");
const owner = {
  scopes: ["generate", "read", "manage"],
  models: [],
  expiresAt: null,
  hasBudget: false,
} as const;
const wanted = { scopes: ["generate"], models: [], expiresAt: null } as const;

describe("assertMayMint", () => {
  it.each([
    ["the same limits", owner, { ...owner }],
    ["fewer scopes", owner, wanted],
    ["a subset of its models", { ...owner, models: ["a", "b"] }, { ...wanted, models: ["b"] }],
    ["an earlier expiry", { ...owner, expiresAt: later }, { ...wanted, expiresAt: soon }],
  ])("allows a key with %s", (_, minter, limits) => {
    expect(() => assertMayMint(minter, limits)).not.toThrow();
  });

  it.each([
    ["any key", { ...owner, hasBudget: true }, wanted, { has_budget: true }],
    [
      "a scope that it lacks",
      { ...owner, scopes: ["manage"] },
      { ...wanted, scopes: ["manage", "read"] },
      { scopes: ["read"] },
    ],
    ["all models", { ...owner, models: ["a"] }, wanted, { models: [] }],
    [
      "a model that it may not use",
      { ...owner, models: ["a"] },
      { ...wanted, models: ["a", "b"] },
      { models: ["b"] },
    ],
    [
      "no expiry",
      { ...owner, expiresAt: soon },
      wanted,
      { expires_at: "2027-01-01T00:00:00.000Z" },
    ],
    [
      "a later expiry",
      { ...owner, expiresAt: soon },
      { ...wanted, expiresAt: later },
      { expires_at: "2027-01-01T00:00:00.000Z" },
    ],
  ] as const)("refuses %s", (_, minter, limits, details) => {
    expect(() => assertMayMint(minter, limits)).toThrow(
      expect.objectContaining({ code: "key_not_permitted", details }),
    );
  });
});
