import type { FoundGeneration, FoundRender } from "@atelier/generations/jobs";
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

/** Entries of a book that are looked at; a story has fewer scenes. */
const maxEntries = 200;

/** The part of a book that the service reads; the rest is the client's own. */
const page = z.object({ scene: z.int().positive(), job_id: z.uuid().toLowerCase().nullish() });

/**
 * The pages of a story's book in their order: of those for one scene, the first. Entries of another shape,
 * scenes that the story does not have, and entries after the 200th are left out.
 *
 * @returns null for a job without a book, or with one that has no pages.
 */
export function readPages({ book, kind, scenesTotal }: FoundGeneration): BookPage[] | null {
  const pages: unknown = book?.["pages"];
  if (kind !== "story" || !Array.isArray(pages)) return null;
  const found = new Map<number, BookPage>();
  for (const one of pages.slice(0, maxEntries)) {
    // Parsing what is no object costs most.
    if (typeof one !== "object") continue;
    const { success, data } = page.safeParse(one);
    if (!success || data.scene > (scenesTotal ?? 0) || found.has(data.scene)) continue;
    found.set(data.scene, { scene: data.scene, jobId: data.job_id ?? null });
  }
  return found.size === 0 ? null : [...found.values()];
}

/** Whether a job can be the image of a page: its first image is still there. */
export function isPageImage(job: FoundGeneration): boolean {
  return job.kind === "image" && job.status === "completed" && hasPng(firstImage(job));
}

function firstImage({ renders }: FoundGeneration): FoundRender | undefined {
  return renders.find(({ role }) => role === "image" || role === "scene");
}

function hasPng(render: FoundRender | undefined): boolean {
  return render?.images.some(({ format, deleted }) => format === "png" && !deleted) ?? false;
}

/**
 * The files of a story whose book has pages: portraits and locations, then the pages in their order. Their
 * names sort in that order.
 *
 * @param chosen the jobs that pages name, by id; a page without its job, or whose job does not have the
 *   format, has the image of the story.
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
    const name = `page-${String(index + 1).padStart(2, "0")}-scene-${scene}`;
    return [job && firstImage(job), scenes[scene - 1]]
      .map((render) => (render === undefined ? [] : filesOf(render, name, format)))
      .reduce((chosenFiles, own) => (chosenFiles.length > 0 ? chosenFiles : own));
  });
  return [...listFiles(cast, format), ...files];
}
