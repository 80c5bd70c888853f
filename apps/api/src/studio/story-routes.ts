import { assertMayChangeThing, assertScope } from "@atelier/accounts";
import { jobNotFound } from "@atelier/generations/endings";
import { chooseScene, findGeneration } from "@atelier/generations/jobs";
import { AppError, archiveQuery, parseRequest } from "@atelier/schemas";
import express, { type RequestHandler, type Response, type Router } from "express";
import * as z from "zod";
import type { Needs } from "../dependencies.ts";
import { listFiles } from "../generations/answer/list-files.ts";
import { readJobId } from "../generations/answer/read-job-id.ts";
import { readJson, requireJson } from "../http/body/read-body.ts";
import { receiveBody } from "../http/body/receive-body.ts";
import { contextOf } from "../http/context.ts";
import { forbidStoring } from "../http/forbid-storing.ts";
import { visibleTo } from "../http/permissions.ts";
import { sendArchive } from "../routes/archive.ts";
import { readCastJobs, withShownCast } from "./shown-cast.ts";
import { numbersOf, pickScenes, readVersions, withShownScenes } from "./shown-scenes.ts";

const maxBodyBytes = 1_024;

const choiceRequest = z.strictObject({
  /** A job for the scene, or the story itself; null for the newest. */
  job_id: z.uuid().nullable(),
});

/**
 * `/studio/stories/{id}`: which version of each scene a story shows (`GET` and `PUT /scenes`), and the
 * ZIP of what it shows (`GET /archive`). Part of Studio, not of the API.
 *
 * @param admit handlers that let only sessions of Studio pass.
 */
export function serveStories(
  admit: readonly RequestHandler[],
  dependencies: Needs<"accountMutex" | "database" | "logger" | "storage">,
): Router {
  const { database } = dependencies;
  const router = express.Router();
  const prepare = [forbidStoring, ...admit];

  router.get("/:id/scenes", ...prepare, async (request, response) => {
    response.json(await describe(request.params["id"], response));
  });

  router.put("/:id/scenes/:scene", ...prepare, async (request, response) => {
    requireJson(request);
    const body = readJson(await receiveBody(request, response, maxBodyBytes));
    const { job_id: versionId } = parseRequest(choiceRequest, body);
    const { caller } = contextOf(response);
    assertScope(caller, "generate");
    const { story, versions } = await read(request.params["id"], response);
    await assertMayChangeThing(database, caller, "job", story.id);
    const scene = Number(request.params["scene"]);
    const isVersion =
      versionId === null ||
      versionId === story.id ||
      versions.again.some(
        ({ id, metadata }) => id === versionId && metadata["studio_scene"] === String(scene),
      );
    const isScene = numbersOf(story, versions).includes(scene);
    if (!isVersion || !isScene) {
      throw new AppError("invalid_request", "This job is no version of the scene.");
    }
    const { accountId } = caller;
    const choice = { accountId, storyId: story.id, scene, versionId };
    if (!(await chooseScene(database, choice))) throw jobNotFound();
    response.json(await describe(story.id, response));
  });

  const archive = sendArchive(dependencies, async (story, owner) => {
    const scenes = pickScenes(story, await readVersions(dependencies, story, owner));
    const cast = withShownCast(story, await readCastJobs(dependencies, story, owner));
    return (format) => listFiles(withShownScenes(cast, scenes), format);
  });
  router.get("/:id/archive", ...prepare, (request, response) =>
    archive(request, response, parseRequest(archiveQuery, request.query)),
  );

  /** @throws AppError `job_not_found`, also for jobs that are no completed story. */
  async function read(id: unknown, response: Response) {
    const owner = visibleTo(contextOf(response).caller);
    const story = await findGeneration(database, { ...owner, generationId: readJobId(id) });
    if (story === null || story.kind !== "story" || story.status !== "completed") {
      throw jobNotFound();
    }
    return { story, versions: await readVersions(dependencies, story, owner) };
  }

  async function describe(id: unknown, response: Response) {
    const { story, versions } = await read(id, response);
    const scenes = pickScenes(story, versions);
    return { scenes: scenes.map(({ scene, version }) => ({ scene, job_id: version.id })) };
  }

  return router;
}
