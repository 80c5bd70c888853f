import { deleteMember, memberNotFound, type Member } from "@atelier/generations/cast";
import type { Sign } from "@atelier/presentation";
import {
  parseRequest,
  type KeptCharacter,
  type KeptLocation,
  type MemberKind,
  type newCharacter,
  type newLocation,
} from "@atelier/schemas";
import { characters, locations } from "@atelier/schemas/endpoints";
import type { Request, Response } from "express";
import { changeMember } from "../cast/change-member.ts";
import { drawMember, isDrawing } from "../cast/draw-member.ts";
import { findMember, keepMember } from "../cast/keep-member.ts";
import { listPage } from "../cast/list-page.ts";
import { presentCharacter, presentLocation } from "../cast/present-member.ts";
import type { Needs } from "../dependencies.ts";
import { signWith } from "../generations/answer/sign.ts";
import { contextOf } from "../http/context.ts";
import { readIdempotencyKey } from "../http/idempotency-key.ts";
import { visibleTo } from "../http/permissions.ts";
import type { Routes } from "../http/routes.ts";
import type { SubmitDependencies } from "../generations/accept/submit.ts";

/** `/v1/characters` and `/v1/locations`: characters and locations that stay until they are deleted. */
export function serveCast(
  routes: Routes,
  dependencies: SubmitDependencies & Needs<"accountGate">,
): void {
  const sign = signWith(dependencies);

  serveMembers(routes, "character", characters, presentCharacter, dependencies);
  routes.add(characters.listAll, async ({ caller, query }) => {
    const { page, nextCursor } = await listPage(caller, "character", query, dependencies);
    const presented = await Promise.all(page.map((one) => presentCharacter(one, sign)));
    return { characters: presented, next_cursor: nextCursor };
  });

  serveMembers(routes, "location", locations, presentLocation, dependencies);
  routes.add(locations.listAll, async ({ caller, query }) => {
    const { page, nextCursor } = await listPage(caller, "location", query, dependencies);
    const presented = await Promise.all(page.map((one) => presentLocation(one, sign)));
    return { locations: presented, next_cursor: nextCursor };
  });
}

/** Adds the routes that create, read, change and delete one character or location. */
function serveMembers<Kept extends KeptCharacter | KeptLocation>(
  routes: Routes,
  kind: MemberKind,
  endpoints: typeof characters | typeof locations,
  present: (member: Member, sign: Sign) => Promise<Kept>,
  dependencies: SubmitDependencies & Needs<"accountGate">,
): void {
  const options = { notFound: () => memberNotFound(kind) };
  const show = (member: Member) => present(member, signWith(dependencies));

  routes.send(endpoints.create, async (request: Request, response: Response) => {
    const { caller, requestId } = contextOf(response);
    const { schema } = endpoints.create.body ?? {};
    const body = parseRequest(schema as typeof newCharacter | typeof newLocation, request.body);
    if (isDrawing(body)) return drawMember(request, response, kind, body, dependencies);
    const idempotency = readIdempotencyKey(request, body, caller);
    const requester = { caller, requestId, idempotency };
    const { member, isReplay } = await keepMember(requester, kind, body, dependencies);
    if (isReplay) response.set("Idempotent-Replayed", "true");
    response.status(201).json(await show(member));
  });

  routes.add(
    endpoints.read,
    async ({ caller, params: { id } }) => show(await findMember(kind, id, caller, dependencies)),
    options,
  );

  routes.add(
    endpoints.change,
    async ({ params: { id }, body, response }) =>
      show(await changeMember(contextOf(response), { kind, id }, body, dependencies)),
    options,
  );

  routes.add(
    endpoints.remove,
    async ({ caller, params: { id } }) => {
      const target = { ...visibleTo(caller), kind, id };
      const { accountGate, database } = dependencies;
      await accountGate.run(caller.accountId, () => deleteMember(database, caller, target));
    },
    options,
  );
}
