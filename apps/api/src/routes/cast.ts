import { deleteMember, memberNotFound, type Member } from "@atelier/generations";
import type { Sign } from "@atelier/presentation";
import {
  changeCharacter,
  changeLocation,
  listMembersQuery,
  memberId,
  newCharacter,
  newLocation,
  parseRequest,
  type KeptCharacterList,
  type KeptLocationList,
  type MemberKind,
} from "@atelier/schemas";
import type { Request, Response } from "express";
import { changeMember } from "../cast/change-member.ts";
import { drawMember, isDrawing } from "../cast/draw-member.ts";
import { findMember, keepMember } from "../cast/keep-member.ts";
import { listPage } from "../cast/list-page.ts";
import { presentCharacter, presentLocation } from "../cast/present-member.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { signWith } from "../generations/answer/sign.ts";
import { readBody } from "../http/body/read-body.ts";
import { contextOf } from "../http/context.ts";
import { readIdempotencyKey } from "../http/idempotency-key.ts";
import { visibleTo } from "../http/permissions.ts";
import type { Routes } from "../http/routes.ts";

type Present<Presented> = (member: Member, sign: Sign) => Promise<Presented>;

/** `/v1/characters` and `/v1/locations`: characters and locations that stay until they are deleted. */
export function serveCast(routes: Routes, dependencies: ApiDependencies): void {
  const listing = { limit: "other", query: listMembersQuery } as const;

  const character = { kind: "character", created: newCharacter, changed: changeCharacter } as const;
  serveMembers(routes, { ...character, present: presentCharacter }, dependencies);
  routes.get("/characters", listing, async (_request, response, page) => {
    const { presented, nextCursor } = await list("character", response, page, presentCharacter);
    response.json({ characters: presented, next_cursor: nextCursor } satisfies KeptCharacterList);
  });

  const location = { kind: "location", created: newLocation, changed: changeLocation } as const;
  serveMembers(routes, { ...location, present: presentLocation }, dependencies);
  routes.get("/locations", listing, async (_request, response, page) => {
    const { presented, nextCursor } = await list("location", response, page, presentLocation);
    response.json({ locations: presented, next_cursor: nextCursor } satisfies KeptLocationList);
  });

  async function list<Presented>(
    kind: MemberKind,
    response: Response,
    query: Parameters<typeof listPage>[2],
    present: Present<Presented>,
  ) {
    const { caller } = contextOf(response);
    const { page, nextCursor } = await listPage(caller, kind, query, dependencies);
    const sign = signWith(dependencies);
    return { presented: await Promise.all(page.map((one) => present(one, sign))), nextCursor };
  }
}

/** The schemas of one kind, and how it is presented. */
interface MemberRoutes {
  readonly kind: MemberKind;
  readonly created: typeof newCharacter | typeof newLocation;
  readonly changed: typeof changeCharacter | typeof changeLocation;
  readonly present: Present<object>;
}

/** Adds the routes that create, read, change and delete one character or location. */
function serveMembers(
  routes: Routes,
  { kind, created, changed, present }: MemberRoutes,
  dependencies: ApiDependencies,
): void {
  const path = `/${kind}s`;
  const generating = { limit: "generate", scope: "generate" } as const;
  const send = async (member: Member, response: Response) => {
    response.json(await present(member, signWith(dependencies)));
  };

  routes.post(path, { ...generating, body: readBody }, async (request, response) => {
    const { caller, requestId } = contextOf(response);
    const body = parseRequest<typeof newCharacter | typeof newLocation>(created, request.body);
    if (isDrawing(body)) return drawMember(request, response, kind, body, dependencies);
    const idempotency = readIdempotencyKey(request, body, caller);
    const requester = { caller, requestId, idempotency };
    const { member, isReplay } = await keepMember(requester, kind, body, dependencies);
    if (isReplay) response.set("Idempotent-Replayed", "true");
    await send(member, response.status(201));
  });

  routes.get(`${path}/:id`, { limit: "other" }, async (request, response) => {
    const { caller } = contextOf(response);
    await send(await findMember(kind, readId(kind, request), caller, dependencies), response);
  });

  routes.patch(`${path}/:id`, { ...generating, body: readBody }, async (request, response) => {
    const target = { kind, id: readId(kind, request) };
    const body = parseRequest<typeof changeCharacter | typeof changeLocation>(
      changed,
      request.body,
    );
    await send(await changeMember(contextOf(response), target, body, dependencies), response);
  });

  routes.delete(`${path}/:id`, { limit: "other", scope: "generate" }, async (request, response) => {
    const { caller } = contextOf(response);
    const target = { ...visibleTo(caller), kind, id: readId(kind, request) };
    const { accountGate, database } = dependencies;
    await accountGate.run(caller.accountId, () => deleteMember(database, caller, target));
    response.status(204).end();
  });
}

function readId(kind: MemberKind, request: Request): string {
  const parsed = memberId.safeParse(request.params["id"]);
  if (!parsed.success) throw memberNotFound(kind);
  return parsed.data;
}
