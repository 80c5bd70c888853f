import type { Caller } from "@atelier/accounts";
import { findMembers } from "@atelier/generations/cast";
import type { ImageRequest, Operation, SceneRequest } from "@atelier/schemas";
import { castScene, castStory, memberIds, type CastMembers } from "@atelier/stories";
import type { Needs } from "../../dependencies.ts";
import { visibleTo } from "../../http/permissions.ts";
import { isRequestOf } from "./complete-scene.ts";
import type { OperationRequest } from "./operations.ts";

/**
 * Completes a story or scene with the kept characters and locations that it names by their ids, and finds those
 * of an image, whose plan describes them; returns other requests unchanged.
 *
 * @throws AppError 422 for ids and states that do not exist for the caller.
 */
export async function completeCast<Name extends Operation>(
  request: OperationRequest<Name>,
  caller: Caller,
  { database }: Needs<"database">,
): Promise<OperationRequest<Name>> {
  if (isRequestOf("story", request)) {
    const members = await find(memberIds(request.body));
    if (members === null) return request;
    return { ...request, body: castStory(request.body, members) as typeof request.body };
  }
  if (isRequestOf("scene", request)) {
    const members = await find(idsIn(request.body));
    if (members === null) return request;
    return { ...request, body: castScene(request.body, members) as typeof request.body };
  }
  if (isRequestOf("image", request)) {
    const members = await find(idsIn(request.body));
    return members === null ? request : { ...request, members };
  }
  return request;

  async function find(ids: readonly string[]): Promise<CastMembers | null> {
    if (ids.length === 0) return null;
    const found = await findMembers(database.pipelined, { ...visibleTo(caller), ids });
    return new Map(
      Array.from(found, ([id, member]) => {
        const states = member.looks.flatMap(({ state, description }) =>
          state === null ? [] : [{ state, description }],
        );
        return [id, { ...member, states }];
      }),
    );
  }
}

function idsIn({
  characters,
  location,
}: Pick<SceneRequest | ImageRequest, "characters" | "location">) {
  return memberIds({ characters, locations: location === undefined ? [] : [location] });
}
