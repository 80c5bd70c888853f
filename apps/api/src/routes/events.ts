import type { Caller, StreamRight } from "@atelier/accounts";
import {
  findLastEventId,
  hasEvent,
  readAccountEvents,
  readConcurrentEvents,
  readJobEvents,
} from "@atelier/events";
import { jobNotFound } from "@atelier/generations/endings";
import { findGeneration, isFinal } from "@atelier/generations/jobs";
import type { EventsQuery } from "@atelier/schemas";
import * as endpoints from "@atelier/schemas/endpoints";
import type { Request, Response } from "express";
import type { Needs } from "../dependencies.ts";
import type { EventStream } from "../events/event-stream.ts";
import { currentFrame, gapFrame, readLastEventId, type Frame } from "../events/frame.ts";
import { presentEventJob } from "../events/present-events.ts";
import { readJobId } from "../generations/answer/read-job-id.ts";
import { signWith } from "../generations/answer/sign.ts";
import { contextOf } from "../http/context.ts";
import { modeToShow, visibleTo } from "../http/permissions.ts";
import type { Routes } from "../http/routes.ts";

/** Maximum number of events of one job: two per job, one per image. */
const maxJobEvents = 1_000;

/** Events that a replay reads at once, and in all: a client resumes after that many. */
const replayPage = 50;
const maxReplayed = 10_000;

/** `GET /v1/jobs/{id}/events` and `GET /v1/events`. */
export function serveEvents(
  routes: Routes,
  dependencies: Needs<"config" | "database" | "eventStreams" | "storage">,
): void {
  routes.send(endpoints.streamJob, streamJob(dependencies));
  routes.send(endpoints.streamAccount, streamAccount(dependencies));
}

/**
 * `GET /v1/jobs/{id}/events`: the events of a job until it is final. Begins with its current state, or
 * with what followed `Last-Event-ID`.
 */
function streamJob(dependencies: Needs<"config" | "database" | "eventStreams" | "storage">) {
  const { database, eventStreams } = dependencies;
  return async (request: Request, response: Response): Promise<void> => {
    const { caller } = contextOf(response);
    const owner = visibleTo(caller);
    const generationId = readJobId(request.params["id"]);
    const lastEventId = readLastEventId(request.get("Last-Event-ID"));
    const target = { ...owner, quotaMode: caller.mode, right: rightOf(caller), generationId };
    const find = () => findGeneration(database, { ...owner, generationId });
    if ((await find()) === null) throw jobNotFound();
    if (request.method === "HEAD") return sendHead(response);

    await withStream(dependencies, target, response, async (stream) => {
      await eventStreams.sync();
      const events =
        lastEventId === null
          ? null
          : await readJobEvents(database, {
              generationId,
              afterId: lastEventId,
              limit: maxJobEvents,
            });
      // Before the job, so that no event between the two is skipped.
      const latestId = events === null ? await findLastEventId(database, generationId) : null;
      const generation = await find();
      if (generation === null) throw jobNotFound();
      if (events?.length === 0 && isFinal(generation)) {
        stream.end();
        // Tells the client not to reconnect (HTML standard, 9.2.3).
        response.status(204).end();
        return;
      }
      const frames: Frame[] =
        events === null
          ? [currentFrame(latestId, await presentEventJob(generation, signWith(dependencies)))]
          : await eventStreams.present(events, target);
      stream.begin(response);
      if (await stream.replay(frames)) await goLive(stream, dependencies);
    });
  };
}

/** The rights that keep a stream of a caller open. */
function rightOf(caller: Caller): StreamRight {
  const { keyId, secretHashes, sessionId } = caller;
  return { keyId, secretHashes, sessionId, needsRead: visibleTo(caller).keyId === null };
}

/**
 * `GET /v1/events`: the events of the account from now on, or from `Last-Event-ID` on. Begins with
 * `stream.gap` when that event is not kept any more.
 */
function streamAccount(dependencies: Needs<"database" | "eventStreams">) {
  const { database, eventStreams } = dependencies;
  return async (
    request: Request,
    response: Response,
    { mode: wanted }: EventsQuery,
  ): Promise<void> => {
    const { caller } = contextOf(response);
    const owner = { ...visibleTo(caller), mode: modeToShow(caller, wanted) };
    const lastEventId = readLastEventId(request.get("Last-Event-ID"));
    const target = { ...owner, quotaMode: caller.mode, right: rightOf(caller), generationId: null };
    const { accountId } = owner;
    if (request.method === "HEAD") return sendHead(response);

    await withStream(dependencies, target, response, async (stream) => {
      await eventStreams.sync();
      const concurrent =
        lastEventId === null
          ? []
          : await readConcurrentEvents(database, { accountId, eventId: lastEventId });
      const hasGap =
        lastEventId !== null && !(await hasEvent(database, { accountId, eventId: lastEventId }));
      stream.begin(response);
      if (hasGap && !(await stream.replay([gapFrame]))) return;
      if (!(await stream.replay(await eventStreams.present(concurrent, target)))) return;
      let afterId = lastEventId;
      for (let count = 0; afterId !== null; count += replayPage) {
        if (count >= maxReplayed) return stream.end();
        const page = await readAccountEvents(database, { accountId, afterId, limit: replayPage });
        if (!(await stream.replay(await eventStreams.present(page, target)))) return;
        afterId = page.length < replayPage ? null : (page.at(-1)?.id ?? null);
      }
      await goLive(stream, dependencies);
    });
  };
}

/**
 * Switches a stream from the replay to new events. First waits until all replayed events have also
 * arrived as new events, so that no event is sent twice.
 */
async function goLive(stream: EventStream, { eventStreams }: Needs<"eventStreams">): Promise<void> {
  await eventStreams.sync();
  stream.goLive();
}

function sendHead(response: Response): void {
  response.set("Content-Type", "text/event-stream").end();
}

/** Opens a stream and ends it when `start` fails. */
async function withStream(
  { eventStreams }: Needs<"eventStreams">,
  target: EventStream["target"],
  response: Response,
  start: (stream: EventStream) => Promise<void>,
): Promise<void> {
  const stream = eventStreams.open(target);
  contextOf(response).isHeldOpen = true;
  // The client may also disconnect during the replay.
  response.once("close", () => stream.end());
  try {
    await start(stream);
  } catch (error) {
    stream.end();
    throw error;
  }
}
