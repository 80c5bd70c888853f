import type { Caller } from "@atelier/accounts";
import { newId } from "@atelier/database";
import { assertFewMembers, findDrawnMember, memberNotFound } from "@atelier/generations/cast";
import { assertRoomToKeep } from "@atelier/generations/library";
import type {
  DrawnMember,
  MemberAccepted,
  MemberKind,
  NewCharacter,
  NewLocation,
  StoryRequest,
} from "@atelier/schemas";
import { cleanName } from "@atelier/stories";
import type { Request, Response } from "express";
import type { Needs } from "../dependencies.ts";
import { keepQuota } from "../generations/accept/keep-quota.ts";
import { submit, type SubmitDependencies } from "../generations/accept/submit.ts";
import { contextOf, disconnectSignal, setJob } from "../http/context.ts";
import { readIdempotencyKey } from "../http/idempotency-key.ts";
import { assertTextsAllowed } from "../moderation/assert-allowed.ts";
import { textsOf } from "./keep-member.ts";

/** A character or location to draw: it has a model. */
type Drawing = (NewCharacter | NewLocation) & { readonly model: string };

/** Whether a request has a character or location drawn, instead of having its images. */
export function isDrawing(body: NewCharacter | NewLocation): body is Drawing {
  return body.model !== undefined;
}

/**
 * Draws a character or location with a job, which keeps it when it is completed: a story without scenes.
 * Responds with the job and the id of the character or location, which is written with the job.
 *
 * @throws AppError when the request is refused.
 */
export async function drawMember(
  request: Request,
  response: Response,
  kind: MemberKind,
  body: Drawing,
  dependencies: SubmitDependencies,
): Promise<void> {
  const { requestId, caller } = contextOf(response);
  const { accountId } = caller;
  const { config, database } = dependencies;
  const castMember = describe(kind, body);
  await assertTextsAllowed(
    textsOf(castMember),
    caller.strictness,
    { accountId, requestId },
    dependencies,
  );
  await assertRoom(caller, dependencies);
  const submission = await submit(
    {
      requestId,
      caller,
      idempotency: readIdempotencyKey(request, body, caller),
      signal: disconnectSignal(request, response),
      onJob: (generationId) => setJob(response, generationId),
    },
    {
      waitMs: 0,
      request: () => ({ operation: "story", body: storyOf(kind, body), castMember }),
    },
    dependencies,
  );
  const { generationId } = submission;
  const id = await findDrawnMember(database, { accountId, generationId });
  if (id === null) throw memberNotFound(kind);
  if (submission.kind === "replayed") response.set("Idempotent-Replayed", "true");
  const pollUrl = `${config.PUBLIC_URL}/v1/jobs/${generationId}`;
  response
    .status(202)
    .set({ Location: pollUrl, "Retry-After": "2" })
    .json({
      id,
      job_id: generationId,
      poll_url: pollUrl,
      status: "pending",
    } satisfies MemberAccepted);
}

/** Jobs that are accepted at the same time can exceed the number by the unfinished jobs of an account. */
async function assertRoom(
  { accountId, mode }: Caller,
  { config, database }: Needs<"config" | "database">,
): Promise<void> {
  await assertFewMembers(database, { accountId, mode });
  await assertRoomToKeep(database, { accountId, mode, quotaBytes: keepQuota(config) });
}

function describe(kind: MemberKind, body: Drawing): DrawnMember {
  const { name, description = "" } = body;
  const states = "states" in body ? Object.entries(body.states ?? {}) : [];
  return {
    id: newId(),
    kind,
    name: cleanName(name),
    description,
    looks: [
      { state: null, description },
      ...states.map(([key, look]) => ({ state: cleanName(key), description: look.description })),
    ],
  };
}

/** The story that draws it. */
function storyOf(kind: MemberKind, body: Drawing): StoryRequest {
  const { model, name, description = "", style, seed } = body;
  const subject = { name, description };
  const states = "states" in body ? body.states : undefined;
  return {
    model,
    style,
    seed,
    title: name,
    cast_only: true,
    characters: kind === "character" ? [{ ...subject, states }] : [],
    locations: kind === "location" ? [subject] : undefined,
    scenes: [],
  };
}
