import type { ApiKey } from "@atelier/schemas";
import type { ApiMember } from "@atelier/schemas/endpoints";
import { describe, expect, it } from "vitest";
import { isLimited, limitsOfMember, planChanges } from "./member-changes.ts";

const maker: ApiMember = {
  id: "mira",
  key_id: "key",
  name: "Mira",
  email: null,
  role: "maker",
  has_identity: false,
  invited_at: "2026-11-01T00:00:00.000Z",
  last_seen_at: null,
  disabled_at: null,
};
const key = {
  id: "key",
  name: "Mira",
  scopes: ["generate"],
  models: null,
  budget: null,
  budget_id: null,
  spent_eur: "0.00",
  expires_at: null,
} as unknown as ApiKey;
const limited: ApiKey = {
  ...key,
  models: ["small"],
  budget: { eur: "5.00", period: "month" },
  budget_id: "team",
};

function draftOf(member: ApiMember, of: ApiKey) {
  return { ...member, email: "", limits: limitsOfMember(of) };
}

describe("the requests that save a member", () => {
  it("send nothing about limits that stay", () => {
    expect(planChanges(draftOf(maker, limited), maker, limited)).toEqual({
      limits: null,
      member: {},
      limitsFirst: true,
    });
  });

  it("set an own budget of a maker and leave its other limits", () => {
    const draft = draftOf(maker, key);
    const limits = { ...limitsOfMember(key)!, hasBudget: true, budgetEur: "0,30" };
    expect(planChanges({ ...draft, limits }, maker, key).limits).toEqual({
      budget: { eur: "0.30", period: "month" },
    });
  });

  it("remove all limits before a maker gets another role, also limits that the form has just set", () => {
    const draft = { ...draftOf(maker, limited), role: "manager" as const };
    expect(planChanges(draft, maker, limited)).toEqual({
      limits: { models: null, budget: null, budget_id: null },
      member: { role: "manager" },
      limitsFirst: true,
    });
    const limits = { ...limitsOfMember(key)!, sharedBudget: "team" };
    expect(planChanges({ ...draft, limits }, maker, key).limits).toBeNull();
  });

  it("set limits after a manager has become a maker", () => {
    const manager: ApiMember = { ...maker, role: "manager" };
    const limits = { ...limitsOfMember(key)!, sharedBudget: "team" };
    const draft = { ...draftOf(manager, key), role: "maker" as const, limits };
    expect(planChanges(draft, manager, key)).toEqual({
      limits: { budget_id: "team" },
      member: { role: "maker" },
      limitsFirst: false,
    });
  });
});

it("names a key limited for any of its limits", () => {
  expect([key, limited, { ...key, models: ["small"] }, undefined].map(isLimited)).toEqual([
    false,
    true,
    true,
    false,
  ]);
});
