import * as z from "zod";
import { eventsQuery } from "../events.ts";
import { jobProgress } from "../progress.ts";
import { endpoint, type FileResult } from "./endpoint.ts";
import { createSamples, exampleUrl, jobId, listed } from "./samples.ts";

const tag = "Events";
const { processingStory } = createSamples(exampleUrl);

const delivery =
  "Events are delivered at least once and in order per job; one that was committed at the same time as `Last-Event-ID` may be repeated. A client that reads too slowly is disconnected and resumes with `Last-Event-ID`.";

const stream: FileResult = {
  description: "The stream.",
  events: { "job.progress": jobProgress },
  content: {
    "text/event-stream": {
      schema: z.string().meta({
        description:
          "Server-sent events: `id` for `Last-Event-ID`, `event` with the type, and `data` with the job as JSON, as `GET /v1/jobs` lists it when the event is sent, but with `source.prompt` null. A comment every 15 seconds keeps the connection open. While an image is made by an engine that reports progress (ComfyUI, AUTOMATIC1111), `job.progress` is sent at most twice a second, without an id and never repeated; its data is a `JobProgress`.",
      }),
      examples: {
        event: [
          "One event",
          `id: 5120\nevent: job.updated\ndata: ${JSON.stringify(listed(processingStory))}\n\n`,
        ],
      },
    },
  },
};

export const streamJob = endpoint({
  id: "streamJob",
  route: "GET /v1/jobs/{id}/events",
  tag,
  summary: "Follow a job",
  description: `Begins with the job's current state, or with what followed \`Last-Event-ID\`, and ends after its final state. ${delivery}`,
  scope: [],
  headers: ["LastEventId"],
  params: { id: z.uuid().meta({ description: "The id of a job.", examples: [jobId] }) },
  results: {
    200: stream,
    204: "The job is final, and the client has received its last event.",
  },
  errors: ["job_not_found", "too_many_streams"],
});

export const streamAccount = endpoint({
  id: "streamAccount",
  route: "GET /v1/events",
  tag,
  summary: "Follow all jobs",
  description: `The events of all jobs that the key may read, from now on or after \`Last-Event-ID\`. Keys with the scope \`read\` also receive events of the account. When the event of \`Last-Event-ID\` is not kept any more, the stream begins with an event of type \`stream.gap\`, without an id. ${delivery}`,
  scope: [],
  headers: ["LastEventId"],
  query: eventsQuery,
  results: { 200: stream },
  errors: ["too_many_streams"],
});

/** `/v1/jobs/{id}/events` and `/v1/events`. */
export const eventEndpoints = [streamJob, streamAccount] as const;
