import type { Caller } from "@atelier/accounts";
import { newId } from "@atelier/database";
import {
  createMember,
  findMemberOfKey,
  findMembers,
  memberNotFound,
  type Member,
} from "@atelier/generations/cast";
import type { MemberKind, NewCharacter, NewLocation } from "@atelier/schemas";
import type { Needs } from "../dependencies.ts";
import { keepQuota } from "../generations/accept/keep-quota.ts";
import { resolveImage } from "../generations/plan/resolve-references.ts";
import { idempotencyKeyReused } from "../http/idempotency-key.ts";
import { visibleTo } from "../http/permissions.ts";
import { assertTextsAllowed } from "../moderation/assert-allowed.ts";
import { describeMember } from "./describe-member.ts";

/** The requester of a character or location, over any protocol. */
interface Requester {
  readonly caller: Caller;
  readonly requestId: string;
  readonly idempotency: { readonly key: string; readonly requestHash: Buffer } | null;
}

/**
 * Keeps a character or location until it is deleted: finds that of an earlier request with the same
 * idempotency key, or moderates its texts, finds its images and reserves room for them.
 *
 * @throws AppError when the request is refused.
 */
export async function keepMember(
  { caller, requestId, idempotency }: Requester,
  kind: MemberKind,
  body: NewCharacter | NewLocation,
  dependencies: Needs<
    "accountGate" | "config" | "database" | "logger" | "metrics" | "parts" | "rules" | "storage"
  >,
): Promise<{ readonly member: Member; readonly isReplay: boolean }> {
  const { accountId, strictness } = caller;
  const { accountGate, config, database, parts } = dependencies;
  const id = newId();
  // Looked up first: images that were there at the first request may be gone now.
  const earlier = idempotency && (await findMemberOfKey(database, { accountId, ...idempotency }));
  const first = earlier ?? (await create());
  if (first !== null && !first.isSameRequest) throw idempotencyKeyReused();
  const found = await findMembers(database, {
    ...visibleTo(caller),
    ids: [first?.id ?? id],
  });
  const member = found.get(first?.id ?? id);
  // Another key of the account made the request, and this key may not read what it keeps.
  if (first !== null && member === undefined) throw idempotencyKeyReused();
  if (member?.kind !== kind) throw memberNotFound(kind);
  return { member, isReplay: first !== null };

  async function create() {
    parts.requireStorage();
    const described = await describeMember(kind, body, caller, dependencies);
    const origin = { accountId, requestId };
    await assertTextsAllowed(textsOf(described), strictness, origin, dependencies);
    const looks = await Promise.all(
      described.looks.map(async ({ source, ...look }) => ({
        ...look,
        ...(await resolveImage(source, caller, dependencies)),
      })),
    );
    const { name, description } = described;
    return accountGate.run(accountId, () =>
      createMember(database, caller, {
        id,
        kind,
        name,
        description,
        looks,
        storyJobId: body.story_job_id ?? null,
        quotaBytes: keepQuota(config),
        idempotency,
      }),
    );
  }
}

/**
 * Finds a character or location that the caller may read.
 *
 * @throws AppError `character_not_found` or `location_not_found`.
 */
export async function findMember(
  kind: MemberKind,
  id: string,
  caller: Caller,
  { database }: Needs<"database">,
): Promise<Member> {
  const found = await findMembers(database, { ...visibleTo(caller), ids: [id] });
  const member = found.get(id);
  if (member?.kind !== kind) throw memberNotFound(kind);
  return member;
}

/** The texts of a character or location with their paths in the request. */
export function textsOf({
  name,
  looks,
}: {
  readonly name: string;
  readonly looks: readonly { readonly state: string | null; readonly description: string }[];
}) {
  return [
    { path: "name", text: name },
    ...looks.flatMap(({ state, description }) =>
      state === null
        ? [{ path: "description", text: description }]
        : [
            { path: `states.${state}`, text: state },
            { path: `states.${state}.description`, text: description },
          ],
    ),
  ];
}
