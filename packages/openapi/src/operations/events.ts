import { eventsQuery } from "@atelier/schemas";
import type { ZodOpenApiPathsObject, ZodOpenApiResponseObject } from "zod-openapi";
import * as z from "zod";
import { errorResponses, keyedErrors } from "../error-responses.ts";
import { headerReferences, rateHeaders } from "../headers.ts";
import { parameterReferences } from "../parameters.ts";
import { jobId, listed, type Samples } from "@atelier/schemas/endpoints";
import { examples } from "./responses.ts";

const tags = ["Events"];
const path = z.strictObject({
  id: z.uuid().meta({ description: "The id of a job.", examples: [jobId] }),
});

const eventStream = z.string().meta({
  description:
    "Server-sent events: `id` for `Last-Event-ID`, `event` with the type, and `data` with the job as JSON, as `GET /v1/jobs` lists it when the event is sent. A comment every 15 seconds keeps the connection open. While an image is made by an engine that reports progress (ComfyUI, AUTOMATIC1111), `job.progress` is sent at most twice a second, without an id and never repeated; its data is a `JobProgress`.",
});

const description =
  "Events are delivered at least once and in order per job; one that was committed at the same time as `Last-Event-ID` may be repeated. A client that reads too slowly is disconnected and resumes with `Last-Event-ID`.";

/** `/v1/events` and `/v1/jobs/{id}/events`. */
export function eventOperations(samples: Samples): ZodOpenApiPathsObject {
  const stream = (job: object): ZodOpenApiResponseObject => ({
    description: "The stream.",
    headers: headerReferences(["X-Request-Id", ...rateHeaders]),
    // The schema of the data of events that are no jobs.
    "x-events": { "job.progress": { $ref: "#/components/schemas/JobProgress" } },
    content: {
      "text/event-stream": {
        schema: eventStream,
        examples: examples({
          event: ["One event", `id: 5120\nevent: job.updated\ndata: ${JSON.stringify(job)}\n\n`],
        }),
      },
    },
  });
  return {
    "/v1/jobs/{id}/events": {
      get: {
        operationId: "streamJob",
        tags,
        summary: "Follow a job",
        description: `Begins with the job's current state, or with what followed \`Last-Event-ID\`, and ends after its final state. ${description}`,
        requestParams: { path },
        parameters: parameterReferences(["RequestId", "LastEventId"]),
        responses: {
          "200": stream(listed(samples.processingStory)),
          "204": {
            description: "The job is final, and the client has received its last event.",
            headers: headerReferences(["X-Request-Id", ...rateHeaders]),
          },
          ...errorResponses([...keyedErrors, "job_not_found", "too_many_streams"], "keyed"),
        },
      },
    },
    "/v1/events": {
      get: {
        operationId: "streamAccount",
        tags,
        summary: "Follow all jobs",
        description: `The events of all jobs that the key may read, from now on or after \`Last-Event-ID\`. Keys with the scope \`read\` also receive events of the account. When the event of \`Last-Event-ID\` is not kept any more, the stream begins with an event of type \`stream.gap\`, without an id. ${description}`,
        requestParams: { query: eventsQuery },
        parameters: parameterReferences(["RequestId", "LastEventId"]),
        responses: {
          "200": stream(listed(samples.processingStory)),
          ...errorResponses([...keyedErrors, "too_many_streams"], "keyed"),
        },
      },
    },
  };
}
