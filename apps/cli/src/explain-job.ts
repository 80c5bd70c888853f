import type { Database } from "@atelier/database";
import { explainJob, findJobs, type JobEvent } from "@atelier/generations/inspect";
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
  const rows = events.map((one) => [
    one.at.toISOString(),
    `${((one.at.getTime() - start) / 1_000).toFixed(3)} s`,
    one.image === null ? "" : String(one.image),
    nameOf(one),
    Object.entries(one.details)
      .map(([name, value]) => `${name}=${value}`)
      .join(" "),
  ]);
  const named = (tone: JobEvent["tone"]) => events.filter((one) => one.tone === tone).map(nameOf);
  return {
    json: { job_id: jobId, events: events.map(eventAsJson) },
    text: table(headings, rows),
    colors: { good: named("good"), bad: named("bad") },
  };
}

function eventAsJson({ at, source, event, image, details }: JobEvent): object {
  return { at: at.toISOString(), source, event, image, details };
}

function nameOf({ source, event }: JobEvent): string {
  return source === "job" || source === "image" ? `${source} ${event}` : event;
}

async function describeMissing(database: Database, jobId: string): Promise<string> {
  const { archived } = await findJobs(database, { by: "job", id: jobId }, 1);
  if (archived === null) return `Job ${jobId} does not exist.`;
  return `Job ${jobId} is archived (${archived.months.join(", ")}): its rows are in a file of the archive.`;
}
