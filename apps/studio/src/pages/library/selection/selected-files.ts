import type { ImageFormat, ListedJob } from "@atelier/schemas";
import { imagesOfJob, isKept } from "../images-of-job.ts";

/** The formats of archives. */
export const archiveFormats = ["png", "jpeg", "webp"] as const satisfies readonly ImageFormat[];

/** As `POST /v1/jobs/archive` limits it, in bytes. */
export const mostBytes = 2_000_000_000;

/** The images of some jobs whose files exist. */
export interface SelectedFiles {
  /** The jobs that have such images. */
  readonly jobIds: readonly string[];
  readonly images: number;
  /** The size of an archive in each format, with the PNG of images that were not made in it. */
  readonly bytes: Readonly<Record<ImageFormat, number>>;
}

export function selectedFiles(jobs: readonly ListedJob[]): SelectedFiles {
  const kept = jobs.map(({ id, result }) => ({
    id,
    images: result === null ? [] : imagesOfJob(result).filter(isKept),
  }));
  const images = kept.flatMap((job) => job.images);
  const bytesIn = (format: ImageFormat) =>
    images.reduce(
      (sum, { formats }) =>
        sum + ((formats[format] ?? formats.png)?.size_bytes ?? 0) + (formats.svg?.size_bytes ?? 0),
      0,
    );
  return {
    jobIds: kept.flatMap((job) => (job.images.length > 0 ? [job.id] : [])),
    images: images.length,
    bytes: { png: bytesIn("png"), jpeg: bytesIn("jpeg"), webp: bytesIn("webp") },
  };
}
