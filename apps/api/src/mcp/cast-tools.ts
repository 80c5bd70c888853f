import { assertScope } from "@atelier/accounts";
import type { Member } from "@atelier/generations/cast";
import { listMembersQuery, memberKinds, parseRequest } from "@atelier/schemas";
import * as z from "zod";
import { keepMember } from "../cast/keep-member.ts";
import { listPage } from "../cast/list-page.ts";
import { contextOf } from "../http/context.ts";
import { answer, type Tool } from "./call.ts";

const kind = z.enum(memberKinds);

/** Input of `keep_character`. */
export const keepCharacterInput = z.strictObject({
  kind: kind.default("character"),
  story_job_id: z.string().describe("The id of a completed story."),
  name: z.string().describe("Its name in the story."),
});

/** A character or location, without its images. */
export const memberOutput = z.strictObject({
  id: z.uuid(),
  kind,
  name: z.string(),
  description: z.string(),
  states: z.array(z.string()),
});

/** Input of `list_characters`. */
export const listCharactersInput = listMembersQuery;

/** Output of `list_characters`. */
export const listCharactersOutput = z.strictObject({
  characters: z.array(memberOutput).describe("Characters and locations, the newest first."),
  next_cursor: z.string().nullable(),
});

/** Keeps a character or location of a story, as `POST /v1/characters` and `POST /v1/locations` do. */
export const keepCharacterTool: Tool = async (input, _context, { response, dependencies }) => {
  const { kind: wanted, ...body } = parseRequest(keepCharacterInput, input);
  const { caller, requestId } = contextOf(response);
  assertScope(caller, "generate");
  const requester = { caller, requestId, idempotency: null };
  const { member } = await keepMember(requester, wanted, body, dependencies);
  return answer(describe(member));
};

/** Lists characters and locations, as `GET /v1/characters` and `GET /v1/locations` do. */
export const listCharactersTool: Tool = async (input, _context, { response, dependencies }) => {
  const query = parseRequest(listCharactersInput, input);
  const { caller } = contextOf(response);
  const { page, nextCursor } = await listPage(caller, null, query, dependencies);
  return answer({ characters: page.map(describe), next_cursor: nextCursor });
};

function describe({ id, kind: ofMember, name, description, looks }: Member) {
  const states = looks.flatMap(({ state }) => (state === null ? [] : [state]));
  return { id, kind: ofMember, name, description, states };
}
