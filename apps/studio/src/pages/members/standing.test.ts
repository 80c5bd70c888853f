import { describe, expect, it } from "vitest";
import { isAbove, rolesToGive } from "./standing.ts";

const manager = { id: "a", role: "manager" } as const;
const member = {
  id: "a",
  name: "Mira",
  email: null,
  role: "manager",
  key_id: "b",
  has_identity: false,
  invited_at: "",
  last_seen_at: null,
  disabled_at: null,
} as const;

describe("isAbove", () => {
  it("is true for a lower role, and for a key of no member", () => {
    expect(isAbove(manager, { role: "maker" })).toBe(true);
    expect(isAbove(manager, { role: "manager" })).toBe(false);
    expect(isAbove(null, { role: "owner" })).toBe(true);
  });
});

describe("rolesToGive", () => {
  it("has every role for owners, and lower ones for managers", () => {
    expect(rolesToGive({ id: "c", role: "owner" }, null)).toEqual(["owner", "manager", "maker"]);
    expect(rolesToGive(manager, null)).toEqual(["maker"]);
  });

  it("has the role that the member has", () => {
    expect(rolesToGive(manager, member)).toEqual(["manager", "maker"]);
  });
});
