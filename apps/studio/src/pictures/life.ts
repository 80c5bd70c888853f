import type { Job } from "@atelier/schemas";
import { formatTime } from "../format.ts";
import { locale } from "../language.ts";
import { texts } from "../texts/pictures.ts";
import { isKeptForever } from "./use-keeping.ts";

const hourMs = 3_600_000;

/** The time at which the images of a job are deleted; null for kept ones, and while it is not known. */
export function endOfLife(
  { completed_at: completedAt, keep }: Pick<Job, "completed_at" | "keep">,
  retentionHours: number | undefined,
): string | null {
  if (completedAt === null || retentionHours === undefined || isKeptForever({ keep })) return null;
  return new Date(Date.parse(completedAt) + retentionHours * hourMs).toISOString();
}

/** When the images of a final job are deleted, for readers; null while it is not known. */
export function describeEnd(
  job: Pick<Job, "completed_at" | "keep">,
  retentionHours: number | undefined,
): string | null {
  if (job.completed_at !== null && isKeptForever(job)) return texts.pictures.keptUntil;
  const end = endOfLife(job, retentionHours);
  return end === null ? null : formatTime(end);
}

/** How long the images of a job still live, in a few words; null while it is not known. */
export function describeLife(
  job: Pick<Job, "completed_at" | "keep">,
  retentionHours: number | undefined,
  now: number,
): string | null {
  if (isKeptForever(job)) return texts.pictures.keptShort;
  const end = endOfLife(job, retentionHours);
  return end === null ? null : texts.pictures.left(formatLeft(Math.max(Date.parse(end) - now, 0)));
}

function formatLeft(ms: number): string {
  const hours = ms / hourMs;
  const [value, unit] =
    hours >= 48
      ? [hours / 24, "day"]
      : hours >= 1
        ? [hours, "hour"]
        : [Math.max(hours * 60, 1), "minute"];
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit,
    unitDisplay: "long",
    maximumFractionDigits: 0,
  }).format(Math.floor(value));
}
