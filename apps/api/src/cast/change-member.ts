import type { Caller } from "@atelier/accounts";
import { changeMember as changeStored, type Member } from "@atelier/generations/cast";
import {
  AppError,
  type ChangeCharacter,
  type ChangeLocation,
  type MemberKind,
} from "@atelier/schemas";
import { changeMember as applyChange, type ChangedLook } from "@atelier/stories";
import type { Needs } from "../dependencies.ts";
import { keepQuota } from "../generations/accept/keep-quota.ts";
import { resolveImage } from "../generations/plan/resolve-references.ts";
import { visibleTo } from "../http/permissions.ts";
import { assertTextsAllowed } from "../moderation/assert-allowed.ts";
import { findMember, textsOf } from "./keep-member.ts";

/**
 * Changes a kept character or location: moderates its texts as they will be, finds its new images and
 * reserves room for them. Can be repeated.
 *
 * @returns it after the change.
 * @throws AppError when the change is refused.
 */
export async function changeMember(
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
  target: { readonly kind: MemberKind; readonly id: string },
  change: ChangeCharacter | ChangeLocation,
  dependencies: Needs<
    "accountGate" | "config" | "database" | "logger" | "metrics" | "parts" | "rules" | "storage"
  >,
): Promise<Member> {
  const { kind, id } = target;
  const { accountId, strictness } = caller;
  const { accountGate, config, database, parts } = dependencies;
  const member = await findMember(kind, id, caller, dependencies);
  const planned = applyChange(member, change, id);
  const origin = { accountId, requestId };
  await assertTextsAllowed(textsOf(planned), strictness, origin, dependencies);
  if (planned.looks.some(({ source }) => source !== null)) parts.requireStorage();
  const images = await resolve(planned.looks);
  await accountGate.run(accountId, () =>
    changeStored(
      database,
      caller,
      { ...visibleTo(caller), ...target },
      {
        // Applied again under the lock, so that changes at the same time keep each other's.
        apply: (locked) => {
          const { looks, ...texts } = applyChange(locked, change, id);
          return {
            ...texts,
            looks: looks.map(({ source, ...look }) => ({
              ...look,
              image: source === null ? null : imageOf(look.state),
            })),
          };
        },
        quotaBytes: keepQuota(config),
      },
    ),
  );
  return findMember(kind, id, caller, dependencies);

  /** @throws AppError when a change at the same time removed the look, whose image was not looked for. */
  function imageOf(state: string | null) {
    const image = images.get(state);
    if (image === undefined) throw imageGone();
    return image;
  }

  /** The stored images that are new, by the states that they show. */
  async function resolve(looks: readonly ChangedLook[]) {
    const found = looks.map(async ({ state, source }) =>
      source === null ? [] : [[state, await resolveImage(source, caller, dependencies)] as const],
    );
    return new Map((await Promise.all(found)).flat());
  }
}

function imageGone(): AppError {
  return new AppError(
    "reference_unreachable",
    "A state was changed at the same time, and the image that this request names is gone. Read the character, and send the request again.",
    { details: { reason: "gone" } },
  );
}
