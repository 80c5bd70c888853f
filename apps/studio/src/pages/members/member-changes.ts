import type { ApiKey } from "@atelier/schemas";
import type { ApiMember, BodyInput, updateMember } from "@atelier/schemas/endpoints";
import { changedLimits, draftOf, type LimitDraft } from "../keys/key-draft.ts";
import type { MemberDraft } from "./member-form.tsx";

/** The requests that save a member. */
export interface MemberChanges {
  /** The body of the request that changes the limits of its key; null when they stay. */
  readonly limits: ReturnType<typeof changedLimits>;
  readonly member: BodyInput<typeof updateMember>;
  /** Whether the limits are changed first: only makers have limits. */
  readonly limitsFirst: boolean;
}

/**
 * Plans the requests that save a member. Limits end before a maker gets another role, and begin after a member has
 * become a maker: the service refuses limits for other roles.
 *
 * @param key the key that the member acts through; undefined until keys are known.
 */
export function planChanges(
  draft: MemberDraft,
  member: ApiMember,
  key: ApiKey | undefined,
): MemberChanges {
  const email = draft.email.trim() || null;
  const wanted = draft.role === "maker" ? draft.limits : noLimits;
  return {
    limits: key === undefined || wanted === null ? null : changedLimits(wanted, key),
    member: {
      ...(draft.name === member.name ? {} : { name: draft.name }),
      ...(email === member.email ? {} : { email }),
      ...(draft.role === member.role ? {} : { role: draft.role }),
    },
    limitsFirst: member.role === "maker",
  };
}

/** Whether a key has a budget, is in a shared one or has limited models. */
export function isLimited(key: ApiKey | undefined): boolean {
  return key !== undefined && changedLimits(noLimits, key) !== null;
}

/** The limits of the key of a member, for the form; null until keys are known. */
export function limitsOfMember(key: ApiKey | undefined): LimitDraft | null {
  return key === undefined ? null : draftOf(key);
}

const noLimits: LimitDraft = {
  hasBudget: false,
  budgetEur: "",
  budgetPeriod: "total",
  sharedBudget: "",
  hasAllModels: true,
  models: [],
};
