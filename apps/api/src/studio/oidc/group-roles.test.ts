import { expect, it } from "vitest";
import { rolesOf } from "./group-roles.ts";

const mappings = [
  { group: "artists", accountId: "a", role: "maker" },
  { group: "leads", accountId: "a", role: "owner" },
  { group: "leads", accountId: "b", role: "manager" },
] as const;

it.each([
  [["artists"], [{ accountId: "a", role: "maker" }], ["b"]],
  [
    ["artists", "leads"],
    [
      { accountId: "a", role: "owner" },
      { accountId: "b", role: "manager" },
    ],
    [],
  ],
  [["others"], [], ["a", "b"]],
])("groups %j have the highest role in each account", (groups, roles, closed) => {
  expect(rolesOf(groups, mappings)).toEqual({ roles, closed });
});
