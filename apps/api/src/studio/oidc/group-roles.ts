import type { GroupRole } from "@atelier/accounts";
import type { MemberRole } from "@atelier/schemas";

/** The role that a group of the provider has in an account. */
export interface GroupMapping extends GroupRole {
  readonly group: string;
}

const order = ["maker", "manager", "owner"] as const satisfies readonly MemberRole[];

/**
 * Finds the highest role that the groups of a person have in each account.
 *
 * @returns the roles, and the accounts that have groups, but none of those of this person.
 */
export function rolesOf(
  groups: readonly string[],
  mappings: readonly GroupMapping[],
): { readonly roles: readonly GroupRole[]; readonly closed: readonly string[] } {
  const accounts = [...new Set(mappings.map(({ accountId }) => accountId))];
  const roles = accounts.flatMap((accountId) => {
    const given = mappings.filter(
      (mapping) => mapping.accountId === accountId && groups.includes(mapping.group),
    );
    const role = order.findLast((one) => given.some((mapping) => mapping.role === one));
    return role === undefined ? [] : [{ accountId, role }];
  });
  const closed = accounts.filter((id) => !roles.some(({ accountId }) => accountId === id));
  return { roles, closed };
}
