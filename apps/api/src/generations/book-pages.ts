import type { FoundGeneration, FoundRender } from "@atelier/generations";
import type { ImageFormat } from "@atelier/schemas";
import * as z from "zod";
import { filesOf, listFiles, type ArchivedFile } from "./list-files.ts";

/** A page of a story's book. */
export interface BookPage {
  /** Position of the scene in the story, from 1. */
  readonly scene: number;
  /** The job whose image the page shows; null for the image of the story. */
  readonly jobId: string | null;
}

/** The part of a book that the service reads; the rest is the client's own. */
const page = z.object({ scene: z.int().positive(), job_id: z.uuid().toLowerCase().nullish() });

/**
 * The pages of a story's book in their order: of those for one scene, the first. Entries of another shape,
 * and scenes that the story does not have, are left out.
 *
 * @returns null for a job without a book, or with one that has no pages.
 */
export function readPages({ book, kind, scenesTotal }: FoundGeneration): BookPage[] | null {
  const pages: unknown = book?.["pages"];
  if (kind !== "story" || !Array.isArray(pages)) return null;
  const found = new Map<number, BookPage>();
  for (const one of pages) {
    const { success, data } = page.safeParse(one);
    if (!success || data.scene > (scenesTotal ?? 0) || found.has(data.scene)) continue;
    found.set(data.scene, { scene: data.scene, jobId: data.job_id ?? null });
  }
  return found.size === 0 ? null : [...found.values()];
}

/** Whether a job can be the image of a page: it made a single image, which is still there. */
export function isPageImage(job: FoundGeneration): boolean {
  return job.kind === "image" && job.status === "completed" && hasPng(lastRender(job));
}

function lastRender({ renders }: FoundGeneration): FoundRender | undefined {
  return renders.at(-1);
}

function hasPng(render: FoundRender | undefined): boolean {
  return render?.images.some(({ format, deleted }) => format === "png" && !deleted) ?? false;
}

/**
 * The files of a story whose book has pages: portraits and locations, then the pages in their order. Their
 * names sort in that order.
 *
 * @param chosen the jobs that pages name, by id; a page without its job has the image of the story.
 */
export function listPageFiles(
  story: FoundGeneration,
  pages: readonly BookPage[],
  chosen: ReadonlyMap<string, FoundGeneration>,
  format: ImageFormat,
): ArchivedFile[] {
  const isScene = ({ role }: FoundRender) => role === "scene";
  const scenes = story.renders.filter(isScene);
  const cast = { ...story, renders: story.renders.filter((render) => !isScene(render)) };
  const files = pages.flatMap(({ scene, jobId }, index) => {
    const job = jobId === null ? undefined : chosen.get(jobId);
    const render = (job && lastRender(job)) ?? scenes[scene - 1];
    const number = String(index + 1).padStart(2, "0");
    return render === undefined ? [] : filesOf(render, `page-${number}-scene-${scene}`, format);
  });
  return [...listFiles(cast, format), ...files];
}
