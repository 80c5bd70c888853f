import type { MemberRole } from "@atelier/schemas";
import type { ApiMember } from "@atelier/schemas/endpoints";

/** The member of the session; null for a key that belongs to no member, which stands above all. */
export interface Self {
  readonly id: string;
  readonly role: MemberRole;
}

const standings = { maker: 0, manager: 1, owner: 2 } as const satisfies Record<MemberRole, number>;

/** Whether a session stands above a member, so that it may act on it. */
export function isAbove(self: Self | null, { role }: Pick<ApiMember, "role">): boolean {
  return self === null || standings[self.role] > standings[role];
}

/**
 * Returns the roles that a session may give.
 *
 * @param member whose role changes; null for a new member.
 */
export function rolesToGive(self: Self | null, member: ApiMember | null): readonly MemberRole[] {
  const all = ["owner", "manager", "maker"] as const;
  if (self === null || self.role === "owner") return all;
  return all.filter((role) => isAbove(self, { role }) || role === member?.role);
}
