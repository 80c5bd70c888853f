import {
  findGeneration,
  type FoundGeneration,
  type FoundRender,
  type Owner,
} from "@atelier/generations/jobs";
import * as z from "zod";
import type { Needs } from "../dependencies.ts";

/** Choices of a book that are looked at; a story has fewer portraits and locations. */
const maxEntries = 100;

/** The part of a choice that the service reads: a portrait, a state or a location, and the job that made it. */
const entry = z.union([
  z.object({
    portrait: z.string(),
    state: z.string().optional(),
    job_id: z.uuid().toLowerCase(),
  }),
  z.object({ location: z.string(), job_id: z.uuid().toLowerCase() }),
]);
type Entry = z.infer<typeof entry>;

/** The choices of a story's book between pictures of its cast; entries of another shape are left out. */
function readCastEntries({ book }: Pick<FoundGeneration, "book">): readonly Entry[] {
  const cast: unknown = book?.["cast"];
  if (!Array.isArray(cast)) return [];
  return cast.slice(0, maxEntries).flatMap((one: unknown) => {
    const { success, data } = entry.safeParse(one);
    return success ? [data] : [];
  });
}

/** Whether a render shows what a choice names. */
function isOf({ role, spec }: FoundRender, choice: Entry): boolean {
  if ("location" in choice) return role === "location" && spec.name === choice.location;
  const isState = choice.state !== undefined;
  if (role !== (isState ? "state" : "portrait") || spec.name !== choice.portrait) return false;
  return !isState || spec.state === choice.state;
}

/**
 * A story with the portraits and locations that its book chose, as far as their images are kept.
 *
 * @param jobs completed jobs that made them, by id.
 */
export function withShownCast(
  story: FoundGeneration,
  jobs: ReadonlyMap<string, FoundGeneration>,
): FoundGeneration {
  const choices = readCastEntries(story);
  const renders = story.renders.map((render) => {
    const choice = choices.find((one) => isOf(render, one));
    if (choice === undefined) return render;
    const made = jobs.get(choice.job_id)?.renders.find((one) => isOf(one, choice));
    const isKept = made?.images.some(({ format, deleted }) => format === "png" && !deleted);
    return made !== undefined && isKept === true ? made : render;
  });
  return { ...story, renders };
}

/** Reads the jobs whose pictures the book of a story chose, as far as an owner may see them. */
export async function readCastJobs(
  { database }: Needs<"database">,
  story: FoundGeneration,
  owner: Owner,
): Promise<ReadonlyMap<string, FoundGeneration>> {
  const ids = new Set(readCastEntries(story).map((choice) => choice.job_id));
  const jobs = new Map<string, FoundGeneration>();
  for (const generationId of ids) {
    const job = await findGeneration(database, { ...owner, generationId });
    if (job?.kind === "story" && job.status === "completed") jobs.set(job.id, job);
  }
  return jobs;
}
