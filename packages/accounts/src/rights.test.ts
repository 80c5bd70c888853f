import { describe, expect, it } from "vitest";
import type { MemberRole } from "@atelier/schemas";
import {
  assertMayActOnMember,
  assertMayChange,
  assertMayEnd,
  assertMayGiveRole,
  assertMayHandOver,
  assertMaySetAccount,
  assertWithin,
  narrow,
} from "./rights.ts";

const soon = new Date("2027-01-01T00:00:00Z");
const later = new Date("2027-02-01T00:00:00Z");
const owner = {
  mode: "live",
  scopes: ["generate", "read", "manage"],
  models: [],
  expiresAt: null,
  hasBudget: false,
  budgetId: null,
} as const;
const wanted = {
  mode: "live",
  scopes: ["generate"],
  models: [],
  expiresAt: null,
  hasBudget: false,
  budgetId: null,
} as const;
const test = { ...owner, mode: "test" } as const;

const refusedRight = expect.objectContaining({ code: "key_not_permitted" });

describe("assertWithin", () => {
  it.each([
    ["the same limits", owner, { ...owner }],
    ["fewer scopes", owner, wanted],
    ["a subset of its models", { ...owner, models: ["a", "b"] }, { ...wanted, models: ["b"] }],
    ["the mode test", owner, { ...wanted, mode: "test" as const }],
    ["its own mode", test, { ...wanted, mode: "test" as const }],
    ["an earlier expiry", { ...owner, expiresAt: later }, { ...wanted, expiresAt: soon }],
    ["a shared budget", owner, { ...wanted, budgetId: "team" }],
    ["its shared budget", { ...owner, budgetId: "team" }, { ...wanted, budgetId: "team" }],
  ])("allows a key with %s", (_, minter, limits) => {
    expect(() => assertWithin(minter, limits)).not.toThrow();
  });

  it.each([
    ["a live key", test, wanted, { mode: "test" }],
    ["any key", { ...owner, hasBudget: true }, wanted, { has_budget: true }],
    ["no shared budget", { ...owner, budgetId: "team" }, wanted, { budget_id: "team" }],
    [
      "another shared budget",
      { ...owner, budgetId: "team" },
      { ...wanted, budgetId: "other" },
      { budget_id: "team" },
    ],
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
    expect(() => assertWithin(minter, limits)).toThrow(
      expect.objectContaining({ code: "key_not_permitted", details }),
    );
  });
});

describe("a key that acts on another one", () => {
  const maker = { ...owner, keyId: "maker", parentId: null, ancestors: [], owner: null };
  const minted = {
    ...owner,
    keyId: "minted",
    parentId: "maker",
    ancestors: ["maker"],
    owner: null,
  };
  const target = { ...owner, id: "target", ancestors: [], owner: null };
  const refused = refusedRight;

  it("may end and change one with no more rights", () => {
    expect(() => assertMayEnd(maker, target)).not.toThrow();
    expect(() => assertMayChange(maker, target)).not.toThrow();
  });

  it("may end and change itself, whatever its limits", () => {
    const limited = { ...maker, hasBudget: true };
    const itself = { ...limited, id: "maker" };
    expect(() => assertMayEnd(limited, itself)).not.toThrow();
    expect(() => assertMayChange(limited, itself)).not.toThrow();
  });

  it.each([
    ["a budget", { ...maker, hasBudget: true }],
    ["a shared budget", { ...maker, budgetId: "team" }],
    ["limited models", { ...maker, models: ["a"] }],
    ["an expiry", { ...maker, expiresAt: soon }],
    ["fewer scopes", { ...maker, scopes: ["manage"] as const }],
  ])("may not end one with all rights when it has %s", (_, actor) => {
    expect(() => assertMayEnd(actor, target)).toThrow(refused);
  });

  it("may not end the key that created it", () => {
    expect(() =>
      assertMayEnd(minted, { ...owner, id: "maker", ancestors: [], owner: null }),
    ).toThrow(refused);
  });

  it("was created by another one, so that it changes only what it created itself", () => {
    expect(() => assertMayEnd(minted, target)).not.toThrow();
    expect(() => assertMayChange(minted, target)).toThrow(refused);
    const own = { ...target, ancestors: ["minted", "maker"] };
    expect(() => assertMayChange(minted, own)).not.toThrow();
  });
});

describe("assertMaySetAccount", () => {
  it.each([
    ["a budget", { ...owner, hasBudget: true }],
    ["a shared budget", { ...owner, budgetId: "team" }],
    ["limited models", { ...owner, models: ["a"] }],
    ["an expiry", { ...owner, expiresAt: soon }],
  ])("refuses a key with %s", (_, rights) => {
    expect(() => assertMaySetAccount({ ...owner, owner: null })).not.toThrow();
    expect(() => assertMaySetAccount({ ...rights, owner: null })).toThrow(refusedRight);
  });

  it("is for members with the role owner", () => {
    for (const role of ["owner", "manager"] as const) {
      const call = () => assertMaySetAccount({ ...owner, owner: { memberId: "a", role } });
      if (role === "owner") expect(call).not.toThrow();
      else expect(call).toThrow(refusedRight);
    }
  });
});

describe("members", () => {
  /** Those who may act on others, from the lowest to the highest standing, with what they stand above. */
  const standings = ["maker", "manager", "created", "owner", "operator"] as const;
  type Standing = (typeof standings)[number];
  const isRole = (standing: Standing): standing is MemberRole =>
    standing !== "created" && standing !== "operator";

  function keyOf(standing: Standing, id: string) {
    const parentId = standing === "created" ? "root" : null;
    return {
      ...owner,
      id,
      keyId: id,
      parentId,
      ancestors: parentId === null ? [] : [parentId],
      owner: isRole(standing) ? { memberId: `member ${id}`, role: standing } : null,
    };
  }

  const pairs = standings.flatMap((actor, high) =>
    standings.map((target, low) => ({ actor, target, isAbove: high > low })),
  );

  it.each(pairs.filter(({ actor, target }) => isRole(actor) || isRole(target)))(
    "$actor ends a key of $target: $isAbove",
    ({ actor, target, isAbove }) => {
      const call = () => assertMayEnd(keyOf(actor, "a"), keyOf(target, "b"));
      if (isAbove) expect(call).not.toThrow();
      else expect(call).toThrow(refusedRight);
    },
  );

  it("act on themselves and on what they created", () => {
    const manager = keyOf("manager", "a");
    expect(() => assertMayActOnMember(manager, manager)).not.toThrow();
    const created = { ...keyOf("manager", "b"), ancestors: ["a"], owner: manager.owner };
    expect(() => assertMayChange(manager, created)).not.toThrow();
  });

  it("are acted on by keys of members and of the operator, not by those that another key created", () => {
    const maker = keyOf("maker", "b");
    expect(() => assertMayActOnMember(keyOf("operator", "a"), maker)).not.toThrow();
    expect(() => assertMayActOnMember(keyOf("created", "a"), maker)).toThrow(refusedRight);
    const limited = { ...keyOf("operator", "a"), hasBudget: true };
    expect(() => assertMayActOnMember(limited, maker)).toThrow(refusedRight);
  });

  it.each([
    ["manager", ["maker"]],
    ["owner", ["maker", "manager", "owner"]],
    ["operator", ["maker", "manager", "owner"]],
  ] as const)("%s gives the roles %s", (standing, given) => {
    const may = (["maker", "manager", "owner"] as const).filter((role) => {
      try {
        assertMayGiveRole(keyOf(standing, "a"), role);
        return true;
      } catch {
        return false;
      }
    });
    expect(may).toEqual(given);
  });

  it("hand over by a higher role, or between owners", () => {
    const [manager, other, top, second] = [
      keyOf("manager", "a"),
      keyOf("manager", "b"),
      keyOf("owner", "c"),
      keyOf("owner", "d"),
    ];
    expect(() => assertMayHandOver(top, { from: manager, to: other }, [])).not.toThrow();
    expect(() => assertMayHandOver(top, { from: top, to: second }, [])).not.toThrow();
    for (const [actor, from, to] of [
      [manager, manager, top],
      [manager, manager, other],
      [manager, other, manager],
      [top, top, manager],
      [top, second, top],
    ] as const) {
      expect(() => assertMayHandOver(actor, { from, to }, [])).toThrow(refusedRight);
    }
  });

  it("get no key that exceeds them, and none that manages from a lower role", () => {
    const [manager, top, maker] = [
      keyOf("manager", "a"),
      keyOf("owner", "c"),
      { ...keyOf("maker", "b"), scopes: ["generate"] as const },
    ];
    const made = { ...keyOf("manager", "d"), ancestors: ["a"] };
    const generating = { ...made, scopes: ["generate"] as const };
    expect(() => assertMayHandOver(top, { from: manager, to: top }, [made])).toThrow(refusedRight);
    expect(() => assertMayHandOver(top, { from: manager, to: maker }, [made])).toThrow(
      refusedRight,
    );
    for (const to of [top, maker]) {
      expect(() => assertMayHandOver(top, { from: manager, to }, [generating])).not.toThrow();
    }
  });
});

describe("narrow", () => {
  it.each([
    ["scopes", { ...owner, scopes: ["read"] }, { scopes: ["read"] }],
    ["all models", { ...owner, models: ["a"] }, { models: ["a"] }],
    ["a missing expiry", { ...owner, expiresAt: soon }, { expiresAt: soon }],
  ] as const)("reduces %s to those of the giver", (_, giver, reduced) => {
    expect(narrow(owner, giver)).toEqual({ ...owner, ...reduced });
  });

  it("moves to the shared budget of the giver, and does not leave its own for none", () => {
    expect(narrow(owner, { ...owner, budgetId: "team" })?.budgetId).toBe("team");
    expect(narrow({ ...owner, budgetId: "team" }, owner)?.budgetId).toBe("team");
  });

  it("keeps an earlier expiry and fewer models", () => {
    const limited = { ...owner, models: ["a"], expiresAt: soon };
    expect(narrow(limited, { ...owner, models: ["a", "b"], expiresAt: later })).toEqual(limited);
  });

  it("leaves nothing when no scope or no model is common", () => {
    expect(narrow(wanted, { ...owner, scopes: ["read"] })).toBeNull();
    expect(narrow({ ...owner, models: ["a"] }, { ...owner, models: ["b"] })).toBeNull();
  });
});
