import { presentJob, type FoundGeneration } from "@atelier/generations";
import type { Job } from "@atelier/schemas";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import type { ApiDependencies } from "../dependencies.ts";
import { signWith } from "../generations/sign.ts";
import { answer } from "./call.ts";

/** The largest file that is sent in the answer itself, in bytes; others are only linked to. */
const maxInlineBytes = 1_000_000;

/**
 * A job with links to its images, the image of an image job itself where it is small enough, and what
 * to do next.
 *
 * @param advice where the job itself does not tell it.
 */
export async function answerWithJob(
  generation: FoundGeneration,
  dependencies: ApiDependencies,
  advice?: string,
): Promise<CallToolResult> {
  const job = await presentJob(generation, signWith(dependencies));
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
      const images = result?.formats ?? result?.scenes?.[0]?.formats;
      return images === undefined
        ? `The ${kind} was made, and its files are gone by now: they are kept for a while only.`
        : `The ${kind} is done. It cost ${cost_eur} EUR. The links work until their expires_at; get_job gives new ones.`;
    }
    case "failed":
      return `The ${kind} could not be made, and nothing was charged: ${job.error?.message}`;
    case "cancelled":
      return `The ${kind} was cancelled, and nothing was charged.`;
    case "pending":
    case "processing": {
      const scenes =
        job.scenes_total === undefined
          ? ""
          : ` ${job.scenes_completed} of ${job.scenes_total} scenes are done.`;
      return `The ${kind} is not done yet.${scenes} Call get_job with job_id "${id}" and wait_seconds 45. Do not ask for it again: it would be made, and paid for, twice.`;
    }
  }
}

/** Links to the PNG of an image, or of each scene. */
function linksOf({ id, result }: Job): ContentBlock[] {
  const scenes = result?.scenes ?? [];
  const images =
    scenes.length === 0
      ? [{ name: `atelier-${id}.png`, title: "Image", image: result }]
      : scenes.map((scene) => ({
          name: `atelier-${id}-${scene.scene}.png`,
          title: `Scene ${scene.scene}: ${scene.title}`,
          image: scene,
        }));
  return images.flatMap(({ name, title, image }) => {
    const png = image?.formats?.png;
    if (png === undefined) return [];
    const mimeType = "image/png";
    return [
      { type: "resource_link" as const, uri: png.url, name, title, mimeType, size: png.size_bytes },
    ];
  });
}

/** The smallest file of an image job, unless it is too large, or the storage is away: there is a link. */
async function inlineImage(
  { kind, renders }: FoundGeneration,
  { storage }: ApiDependencies,
): Promise<ContentBlock[]> {
  const [render] = renders;
  if (kind !== "image" || render === undefined) return [];
  const [smallest] = render.images
    .filter(({ deleted, sizeBytes }) => !deleted && sizeBytes <= maxInlineBytes)
    .toSorted((a, b) => a.sizeBytes - b.sizeBytes);
  const stored = smallest && (await storage.get(smallest.storageKey).catch(() => null));
  if (stored == null) return [];
  const data = Buffer.from(stored.bytes).toString("base64");
  return [{ type: "image", data, mimeType: stored.contentType }];
}
