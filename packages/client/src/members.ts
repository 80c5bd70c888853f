import type { Api } from "./api.ts";
import type { CallOptions } from "./options.ts";
import type {
  ChangedMember,
  HandedOver,
  InviteMemberRequest,
  Member,
  MemberWithLink,
  UpdateMemberRequest,
} from "./types.ts";

/** People of the account; the client's own key needs the scope `manage`, and no limits. */
export interface Members {
  /**
   * Lists the members, disabled ones last.
   *
   * @example
   * ```ts
   * const members = await atelier.members.list();
   * console.log(members.map(({ name, role }) => [name, role]));
   * ```
   */
  list(options?: CallOptions): Promise<readonly Member[]>;
  /**
   * Invites a member. `link` of the result signs it in to Studio once, and is returned only here.
   *
   * @throws ConflictError `member_exists` or `too_many_keys`.
   *
   * @example
   * ```ts
   * const { id, link } = await atelier.members.invite({ name: "Mira", role: "maker" });
   * console.log(id, link);
   * ```
   */
  invite(request: InviteMemberRequest, options?: CallOptions): Promise<MemberWithLink>;
  /**
   * Changes what the request names. `ended` of the result counts what ended with a lower role.
   *
   * @throws ConflictError `last_owner` or `member_exists`.
   *
   * @example
   * ```ts
   * const { role } = await atelier.members.update(memberId, { role: "manager" });
   * console.log(role);
   * ```
   */
  update(
    memberId: string,
    request: UpdateMemberRequest,
    options?: CallOptions,
  ): Promise<ChangedMember>;
  /**
   * Creates another link for a member, in place of earlier ones.
   *
   * @throws ConflictError `member_disabled`.
   *
   * @example
   * ```ts
   * const { link } = await atelier.members.createLink(memberId);
   * console.log(link);
   * ```
   */
  createLink(memberId: string, options?: CallOptions): Promise<MemberWithLink>;
  /**
   * Hands the keys and webhooks that a member created over to another one.
   *
   * @throws ConflictError `member_disabled`.
   *
   * @example
   * ```ts
   * const { keys, webhooks } = await atelier.members.handOver(memberId, { to: otherId });
   * console.log(keys, webhooks);
   * ```
   */
  handOver(
    memberId: string,
    request: { readonly to: string },
    options?: CallOptions,
  ): Promise<HandedOver>;
  /**
   * Refuses a member from now on, and ends what it created.
   *
   * @throws ConflictError `last_owner`.
   *
   * @example
   * ```ts
   * const { ended } = await atelier.members.disable(memberId);
   * console.log(ended);
   * ```
   */
  disable(memberId: string, options?: CallOptions): Promise<ChangedMember>;
  /**
   * Lets a disabled member sign in again, with the link of the result.
   *
   * @example
   * ```ts
   * const { link } = await atelier.members.enable(memberId);
   * console.log(link);
   * ```
   */
  enable(memberId: string, options?: CallOptions): Promise<MemberWithLink>;
  /**
   * Disables a member, and deletes its personal data.
   *
   * @throws ConflictError `last_owner`.
   *
   * @example
   * ```ts
   * const { ended } = await atelier.members.remove(memberId);
   * console.log(ended);
   * ```
   */
  remove(memberId: string, options?: CallOptions): Promise<ChangedMember>;
}

export function createMembers({ call }: Api): Members {
  return {
    async list(options) {
      const { members } = await call("GET /v1/members", options);
      return members;
    },
    invite: (body, options) => call("POST /v1/members", { body, ...options, once: true }),
    update: (memberId, body, options) =>
      call("PATCH /v1/members/{id}", { params: { memberId }, body, ...options }),
    createLink: (memberId, options) =>
      call("POST /v1/members/{id}/link", { params: { memberId }, ...options, once: true }),
    handOver: (memberId, body, options) =>
      call("POST /v1/members/{id}/hand-over", { params: { memberId }, body, ...options }),
    disable: (memberId, options) =>
      call("POST /v1/members/{id}/disable", { params: { memberId }, ...options }),
    enable: (memberId, options) =>
      call("POST /v1/members/{id}/enable", { params: { memberId }, ...options, once: true }),
    remove: (memberId, options) =>
      call("DELETE /v1/members/{id}", { params: { memberId }, ...options }),
  };
}
