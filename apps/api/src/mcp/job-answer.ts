import type { FoundGeneration } from "@atelier/generations/jobs";
import { presentJob } from "@atelier/presentation";
import type { Job } from "@atelier/schemas";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import type { Needs } from "../dependencies.ts";
import { signWith } from "../generations/answer/sign.ts";
import { withWait } from "../generations/answer/wait-estimates.ts";
import { contextOf } from "../http/context.ts";
import { answer, type Exchange } from "./call.ts";

/** Maximum size of a file that is included in the result, in bytes; larger ones are only linked. */
const maxInlineBytes = 1_000_000;

/**
 * Builds the result for a job: the job with its estimated wait, links to its images, the thumbnail of
 * an image job, and the next step for the assistant.
 *
 * @param advice the next step, if the job itself does not imply it.
 */
export async function answerWithJob(
  generation: FoundGeneration,
  { response, dependencies }: Pick<Exchange, "response" | "dependencies">,
  advice?: string,
): Promise<CallToolResult> {
  const { accountId } = contextOf(response).caller;
  const waits = await dependencies.waits.ofJobs(accountId, [generation]);
  const job = withWait(await presentJob(generation, signWith(dependencies)), waits);
  const { content, ...structured } = answer(job);
  return {
    ...structured,
    content: [
      { type: "text", text: advice ?? adviseOn(job) },
      ...content,
      ...linksOf(job),
      ...(await inlineImage(generation, dependencies)),
    ],
  };
}

function adviseOn({ id, kind, status, result, cost_eur, ...job }: Job): string {
  switch (status) {
    case "completed": {
      const images = result?.formats ?? result?.scenes?.[0]?.formats ?? castOf(result)[0];
      return images === undefined
        ? `The ${kind} was completed, but its files have been deleted after their retention.`
        : `The ${kind} is done. It cost ${cost_eur} EUR. The links work until their expires_at; get_job gives new ones.`;
    }
    case "failed":
      return `The ${kind} failed and nothing was charged: ${job.error?.message}`;
    case "cancelled":
      return `The ${kind} was cancelled, and nothing was charged.`;
    case "pending":
    case "processing": {
      const scenes =
        job.scenes_total === null
          ? ""
          : ` ${job.scenes_completed} of ${job.scenes_total} scenes are done.`;
      const seconds = job.estimated_wait_seconds;
      const wait = seconds == null ? "" : ` It starts in about ${seconds} s.`;
      return `The ${kind} is not done yet.${scenes}${wait} Call get_job with job_id "${id}" and wait_seconds 45. Do not request it again: it would be generated and charged twice.`;
    }
  }
}

/** The portraits and locations of a story without scenes, as far as their files are there. */
function castOf(result: Job["result"]) {
  if (result?.scenes?.length !== 0) return [];
  return [...(result.characters ?? []), ...(result.locations ?? [])].flatMap(
    ({ name, state, reference_url: uri }) =>
      uri === undefined ? [] : [{ uri, title: state === undefined ? name : `${name}, ${state}` }],
  );
}

/** Links to the PNG of an image job, or to those of each image, scene, or portrait of a story without scenes. */
function linksOf({ id, result }: Job): ContentBlock[] {
  const cast = castOf(result).map(
    ({ uri, title }, index) =>
      ({ type: "resource_link", uri, name: `atelier-${id}-cast-${index + 1}.png`, title }) as const,
  );
  if (cast.length > 0) return cast;
  const scenes = (result?.scenes ?? []).map((scene) => ({
    name: `atelier-${id}-${scene.scene}.png`,
    title: `Scene ${scene.scene}: ${scene.title}`,
    image: scene,
  }));
  const images = (result?.images ?? []).map((image) => ({
    name: `atelier-${id}-${image.index + 1}.png`,
    title: `Image ${image.index + 1}, seed ${image.seed}`,
    image,
  }));
  const several = [...scenes, ...images];
  const all =
    several.length === 0 ? [{ name: `atelier-${id}.png`, title: "Image", image: result }] : several;
  return all.flatMap(({ name, title, image }) => {
    const png = image?.formats?.png;
    if (png === undefined) return [];
    const mimeType = "image/png";
    return [
      { type: "resource_link" as const, uri: png.url, name, title, mimeType, size: png.size_bytes },
    ];
  });
}

/**
 * The thumbnail of a job of one image, unless the storage is unavailable; for images from before there were
 * thumbnails the smallest format, unless it is too large.
 */
async function inlineImage(
  { kind, renders }: FoundGeneration,
  { storage }: Needs<"storage">,
): Promise<ContentBlock[]> {
  const [render, ...others] = renders;
  if (kind !== "image" || render === undefined || others.length > 0) return [];
  const kept = render.images.filter(({ format, deleted }) => format !== "svg" && !deleted);
  const [smallest] = kept
    .filter(({ sizeBytes }) => sizeBytes <= maxInlineBytes)
    .toSorted((a, b) => a.sizeBytes - b.sizeBytes);
  const shown = kept.find(({ format }) => format === "thumbnail") ?? smallest;
  const stored = shown && (await storage.get(shown.storageKey).catch(() => null));
  if (stored == null) return [];
  const data = Buffer.from(stored.bytes).toString("base64");
  return [{ type: "image", data, mimeType: stored.contentType }];
}
