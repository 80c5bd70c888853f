import type { Database } from "@atelier/database";
import { explainJob, findJobs, type JobEvent } from "@atelier/generations";
import { table, type Answer } from "./answer.ts";

/**
 * Shows the life of a job as a time line.
 *
 * @throws Error for a job that does not exist, or is archived.
 */
export async function explain(database: Database, jobId: string): Promise<Answer> {
  const events = await explainJob(database, jobId);
  if (events === null) throw new Error(await describeMissing(database, jobId));
  const start = events[0]?.at.getTime() ?? 0;
  const headings = ["TIME", "AFTER", "IMAGE", "EVENT", "DETAILS"];
  const rows = events.map(({ at, image, source, event, details }) => [
    at.toISOString(),
    `${((at.getTime() - start) / 1_000).toFixed(3)} s`,
    image === null ? "" : String(image),
    source === "job" || source === "image" ? `${source} ${event}` : event,
    Object.entries(details)
      .map(([name, value]) => `${name}=${value}`)
      .join(" "),
  ]);
  return {
    json: { job_id: jobId, events: events.map(eventAsJson) },
    text: table(headings, rows),
    colors: linesOf(events),
  };
}

function eventAsJson({ at, source, event, image, details }: JobEvent): object {
  return { at: at.toISOString(), source, event, image, details };
}

/** The good and the bad events, at their places in the lines. */
function linesOf(events: readonly JobEvent[]): NonNullable<Answer["colors"]> {
  return { good: wordsOf(events, "good"), bad: wordsOf(events, "bad") };
}

function wordsOf(events: readonly JobEvent[], tone: JobEvent["tone"]): RegExp {
  const words = new Set(events.flatMap((one) => (one.tone === tone ? [one.event] : [])));
  // After the columns of the time, whose widths are fixed, and that of the image.
  const before = String.raw`(?<=^\S+Z +\S+ s +\d* +(?:(?:job|image) )?)`;
  return words.size === 0
    ? /(?!)/
    : new RegExp(`${before}(?:${[...words].join("|")})(?=  |$)`, "gm");
}

async function describeMissing(database: Database, jobId: string): Promise<string> {
  const { archived } = await findJobs(database, { by: "job", id: jobId }, 1);
  if (archived === null) return `Job ${jobId} does not exist.`;
  return `Job ${jobId} is archived (${archived.months.join(", ")}): its rows are in a file of the archive.`;
}
