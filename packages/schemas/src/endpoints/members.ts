import * as z from "zod";
import { newName, timestamp } from "../fields.ts";
import { memberRole } from "../keys.ts";
import { endpoint, json } from "./endpoint.ts";

const tag = "Members";
const memberId = "019aa1c2-4b5d-7e6f-8a90-b1c2d3e4f506";
const otherId = "019aa1c2-9f00-7a1b-8c2d-3e4f50617283";
const params = {
  id: z.uuid().meta({ description: "The id of a member.", examples: [memberId] }),
};

const email = z
  .email()
  .max(254)
  .transform((address) => address.toLowerCase())
  .meta({
    description: "Its e-mail address, stored in lower case. The service sends no mail.",
    examples: ["mira@example.com"],
  });

/** Body of `POST /v1/members`. */
export const inviteMemberRequest = z
  .strictObject({
    name: newName.meta({ description: "Shown in lists.", examples: ["Mira Lindqvist"] }),
    email: email.nullable().optional(),
    role: memberRole,
  })
  .meta({ id: "InviteMemberRequest" });

/** Body of `PATCH /v1/members/{id}`: omitted properties stay unchanged. */
export const updateMemberRequest = z
  .strictObject({
    name: newName.optional(),
    email: email.nullable().optional(),
    role: memberRole.optional(),
  })
  .meta({ id: "UpdateMemberRequest" });

/** Body of `POST /v1/members/{id}/hand-over`. */
export const handOverRequest = z
  .strictObject({
    to: z.uuid().meta({ description: "The id of the member who receives them." }),
  })
  .meta({ id: "HandOverRequest" });

const memberFields = {
  id: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  role: memberRole,
  key_id: z.uuid().meta({
    description:
      "The key that the member acts through. Keys that it created have it in `created_by`.",
  }),
  has_identity: z.boolean().meta({
    description: "Whether it has signed in through the identity provider of the operator.",
  }),
  invited_at: timestamp,
  last_seen_at: timestamp
    .nullable()
    .meta({ description: "Exact to a minute; null if it has never signed in." }),
  disabled_at: timestamp.nullable(),
};

export const member = z.strictObject(memberFields).meta({ id: "Member" });
export type ApiMember = z.infer<typeof member>;

const ended = z.strictObject({ keys: z.int(), webhooks: z.int(), sessions: z.int() }).meta({
  description: "What ended with this change, as of `ChangedKey`.",
});

const changedMember = z.strictObject({ ...memberFields, ended }).meta({ id: "ChangedMember" });
const memberWithLink = z
  .strictObject({
    ...memberFields,
    link: z.string().meta({
      description: "Signs in to Studio once, within 24 hours. It is shown only here.",
    }),
  })
  .meta({ id: "MemberWithLink" });
const memberList = z
  .strictObject({
    members: z.array(member).meta({ description: "Those that are not disabled first, by name." }),
  })
  .meta({ id: "MemberList" });

const sample = {
  id: memberId,
  name: "Mira Lindqvist",
  email: "mira@example.com",
  role: "maker",
  key_id: "019aa1c2-4b5d-7a55-8e20-5b7c1d2e3f41",
  has_identity: false,
  invited_at: "2026-11-30T10:00:00.000Z",
  last_seen_at: null,
  disabled_at: null,
};
const withEnded = { ...sample, ended: { keys: 0, webhooks: 0, sessions: 1 } };
const withLink = {
  ...sample,
  link: "https://images.example.org/studio/#link=6pZx0Qm7RkT4cN8sYbW1hLdZ6gF3e5uXaVx7Qd",
};

const changed = (description: string) =>
  json(description, changedMember, { member: ["A member", withEnded] });
const linked = (description: string) =>
  json(description, memberWithLink, { member: ["A member with its link, shown once", withLink] });

export const listMembers = endpoint({
  id: "listMembers",
  route: "GET /v1/members",
  tag,
  summary: "List members",
  description:
    "The members of the account, disabled ones included. Needs the scope `manage` and a live key.",
  scope: ["manage"],
  results: { 200: json("The members.", memberList, { members: ["One", { members: [sample] }] }) },
});

export const inviteMember = endpoint({
  id: "inviteMember",
  route: "POST /v1/members",
  tag,
  summary: "Invite a member",
  description:
    "Returns a link that signs the member in to Studio; pass it on yourself. Managers invite makers; owners invite members of any role. Needs the scope `manage` and a key that no other key created, without a budget, limited models or an expiry. A member counts as one of the keys of the account.",
  scope: ["manage"],
  body: {
    schema: inviteMemberRequest,
    examples: {
      request: [null, { name: "Mira Lindqvist", email: "mira@example.com", role: "maker" }],
    },
  },
  results: { 201: linked("The member, with the link.") },
  errors: ["member_exists", "too_many_keys"],
});

export const updateMember = endpoint({
  id: "updateMember",
  route: "PATCH /v1/members/{id}",
  tag,
  summary: "Change a member",
  description:
    "Changes what the body names; null removes the e-mail address. A lower role takes rights from the member and from the keys that it created at once. Members act on members of a lower role and on themselves.",
  scope: ["manage"],
  params,
  body: { schema: updateMemberRequest, examples: { request: [null, { role: "manager" }] } },
  results: { 200: changed("The member as it is now, and what ended with its earlier rights.") },
  errors: ["member_not_found", "member_exists", "last_owner"],
});

export const linkMember = endpoint({
  id: "linkMember",
  route: "POST /v1/members/{id}/link",
  tag,
  summary: "Create a link for a member",
  description:
    "A new link that signs the member in to Studio, in place of earlier ones. Sessions stay.",
  scope: ["manage"],
  params,
  results: { 200: linked("The member, with the link.") },
  errors: ["member_not_found", "member_disabled"],
});

export const disableMember = endpoint({
  id: "disableMember",
  route: "POST /v1/members/{id}/disable",
  tag,
  summary: "Disable a member",
  description:
    "Refuses the member from now on and ends its sessions, and the keys and webhooks that it created. Hand these over before to keep them. Jobs that it requested are finished.",
  scope: ["manage"],
  params,
  results: { 200: changed("The disabled member, and what ended with it.") },
  errors: ["member_not_found", "last_owner"],
});

export const enableMember = endpoint({
  id: "enableMember",
  route: "POST /v1/members/{id}/enable",
  tag,
  summary: "Enable a member",
  description:
    "Lets a disabled member sign in again, with the link of the response. What ended with it does not return.",
  scope: ["manage"],
  params,
  results: { 200: linked("The member, with a link.") },
  errors: ["member_not_found", "too_many_keys"],
});

export const handOverMember = endpoint({
  id: "handOverMember",
  route: "POST /v1/members/{id}/hand-over",
  tag,
  summary: "Hand over keys and webhooks",
  description:
    "Gives the keys and webhooks that a member created to another member, with whom they end from now on. Needs a higher role than that of the member; an owner hands its own over to another owner. A key that exceeds the receiver is refused, and so is one with the scope `manage` if the receiver has a higher role.",
  scope: ["manage"],
  params,
  body: { schema: handOverRequest, examples: { request: [null, { to: otherId }] } },
  results: {
    200: json(
      "How many were handed over.",
      z.strictObject({ keys: z.int(), webhooks: z.int() }).meta({ id: "HandedOver" }),
      { result: ["Two keys", { keys: 2, webhooks: 0 }] },
    ),
  },
  errors: ["member_not_found", "member_disabled"],
});

export const removeMember = endpoint({
  id: "removeMember",
  route: "DELETE /v1/members/{id}",
  tag,
  summary: "Remove a member",
  description:
    "Disables the member, and deletes its name, its e-mail address and its identity. Its jobs stay with the account.",
  scope: ["manage"],
  params,
  results: { 200: changed("The member as it was, and what ended with it.") },
  errors: ["member_not_found", "last_owner"],
});

/** `/v1/members`. */
export const memberEndpoints = [
  listMembers,
  inviteMember,
  updateMember,
  removeMember,
  linkMember,
  disableMember,
  enableMember,
  handOverMember,
] as const;
