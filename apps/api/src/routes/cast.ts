import type { Caller } from "@atelier/accounts";
import { newId } from "@atelier/database";
import {
  createMember,
  deleteMember,
  findMemberOfKey,
  findMembers,
  listMembers,
  memberNotFound,
  type Member,
} from "@atelier/generations";
import {
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
import { describeMember } from "../cast/describe-member.ts";
import { presentCharacter, presentLocation } from "../cast/present-member.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { keepQuota } from "../generations/keep-quota.ts";
import { resolveImage } from "../generations/resolve-references.ts";
import { signWith } from "../generations/sign.ts";
import { contextOf } from "../http/context.ts";
import { readCursor, splitPage } from "../http/cursor.ts";
import { idempotencyKeyReused, readIdempotencyKey } from "../http/idempotency-key.ts";
import { visibleTo } from "../http/permissions.ts";
import { readBody } from "../http/read-body.ts";
import type { Routes } from "../http/routes.ts";
import { assertTextsAllowed } from "../moderation/assert-allowed.ts";

/** `/v1/characters` and `/v1/locations`: characters and locations that stay until they are deleted. */
export function serveCast(routes: Routes, dependencies: ApiDependencies): void {
  const { database } = dependencies;
  const listing = { limit: "other", query: listMembersQuery } as const;

  serve("character", newCharacter, presentCharacter);
  routes.get("/characters", listing, async (_request, response, page) => {
    const { members, nextCursor } = await list("character", response, page);
    const characters = await present(members, presentCharacter);
    response.json({ characters, next_cursor: nextCursor } satisfies KeptCharacterList);
  });
  serve("location", newLocation, presentLocation);
  routes.get("/locations", listing, async (_request, response, page) => {
    const { members, nextCursor } = await list("location", response, page);
    const locations = await present(members, presentLocation);
    response.json({ locations, next_cursor: nextCursor } satisfies KeptLocationList);
  });

  async function list(
    kind: MemberKind,
    response: Response,
    { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  ) {
    const { caller } = contextOf(response);
    const owner = { ...visibleTo(caller), mode: caller.mode };
    const beforeId = readCursor(cursor);
    const found = await listMembers(database, { ...owner, kind, beforeId, limit: limit + 1 });
    const { page, nextCursor } = splitPage(found, limit);
    return { members: page, nextCursor };
  }

  type Present<Presented> = (
    member: Member,
    sign: ReturnType<typeof signWith>,
  ) => Promise<Presented>;

  function present<Presented>(members: readonly Member[], presentOne: Present<Presented>) {
    return Promise.all(members.map((member) => presentOne(member, signWith(dependencies))));
  }

  function serve(
    kind: MemberKind,
    schema: typeof newCharacter | typeof newLocation,
    presentOne: Present<object>,
  ): void {
    const path = `/${kind}s`;
    const changing = { limit: "other", scope: "generate" } as const;

    routes.post(path, { ...changing, body: readBody }, async (request, response) => {
      const { caller } = contextOf(response);
      const body = parseRequest<typeof newCharacter | typeof newLocation>(schema, request.body);
      const idempotency = readIdempotencyKey(request, body, caller);
      const earlier =
        idempotency &&
        (await findMemberOfKey(database, { accountId: caller.accountId, ...idempotency }));
      const id = newId();
      const first = earlier ?? (await create({ id, kind, body, idempotency }, response));
      if (first !== null) {
        if (!first.isSameRequest) throw idempotencyKeyReused();
        response.set("Idempotent-Replayed", "true");
      }
      const member = await find(kind, first?.id ?? id, caller);
      response.status(201).json(await presentOne(member, signWith(dependencies)));
    });

    routes.get(`${path}/:id`, { limit: "other" }, async (request, response) => {
      const member = await find(kind, readMemberId(kind, request), contextOf(response).caller);
      response.json(await presentOne(member, signWith(dependencies)));
    });

    routes.delete(`${path}/:id`, changing, async (request, response) => {
      const { caller } = contextOf(response);
      const target = { ...visibleTo(caller), kind, id: readMemberId(kind, request) };
      await dependencies.accountGate.run(caller.accountId, () =>
        deleteMember(database, caller, target),
      );
      response.status(204).end();
    });
  }

  async function create(
    {
      body,
      ...member
    }: Pick<Parameters<typeof createMember>[2], "id" | "kind" | "idempotency"> & {
      readonly body: Parameters<typeof describeMember>[1];
    },
    response: Response,
  ) {
    const { caller, requestId } = contextOf(response);
    const { accountId, keyId, mode, strictness } = caller;
    dependencies.parts.requireStorage();
    const described = await describeMember(member.kind, body, caller, dependencies);
    await assertTextsAllowed(
      textsOf(described),
      strictness,
      { accountId, requestId },
      dependencies,
    );
    const looks = await Promise.all(
      described.looks.map(async ({ source, ...look }) => ({
        ...look,
        ...(await resolveImage(source, caller, dependencies)),
      })),
    );
    return dependencies.accountGate.run(accountId, () =>
      createMember(database, caller, {
        ...member,
        owner: { accountId, keyId, mode },
        name: described.name,
        description: described.description,
        looks,
        storyJobId: body.story_job_id ?? null,
        quotaBytes: keepQuota(dependencies.config),
      }),
    );
  }

  /** @throws AppError `character_not_found` or `location_not_found`. */
  async function find(kind: MemberKind, id: string, caller: Caller): Promise<Member> {
    const found = await findMembers(database, { ...visibleTo(caller), ids: [id] });
    const member = found.get(id);
    if (member?.kind !== kind) throw memberNotFound(kind);
    return member;
  }
}

/** The texts of a character or location with their paths in the request. */
function textsOf({ name, looks }: Awaited<ReturnType<typeof describeMember>>) {
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

function readMemberId(kind: MemberKind, request: Request): string {
  const parsed = memberId.safeParse(request.params["id"]);
  if (!parsed.success) throw memberNotFound(kind);
  return parsed.data;
}
