import { webhookPayloads } from "@atelier/schemas";
import * as z from "zod";
import type { ZodOpenApiCallbacksObject, ZodOpenApiObject } from "zod-openapi";

const webhookDescription =
  "Sent to each webhook that receives this type, signed as Standard Webhooks. Any 2xx within 10 seconds is a success; otherwise the delivery is repeated with the same `webhook-id`.";

/** The deliveries to the `webhook_url` of a request. */
export const jobCallbacks = {
  jobEvent: callbackOf({
    id: "JobEvent",
    summary: "An event of the job",
    description:
      "Sent to the `webhook_url` of the request for each of its `webhook_events`, signed as Standard Webhooks with the secret of the account. Any 2xx within 10 seconds is a success; otherwise the delivery is repeated with the same `webhook-id`.",
    schema: payloadsOf("job."),
  }),
} satisfies ZodOpenApiCallbacksObject;

/** The delivery to the `webhook_url` of a batch. */
export const batchCallbacks = {
  batchEvent: callbackOf({
    id: "BatchEvent",
    summary: "The end of the batch",
    description:
      "Sent to the `webhook_url` of the batch when every line has ended, like events of jobs.",
    schema: payloadsOf("batch."),
  }),
} satisfies ZodOpenApiCallbacksObject;

/** The bodies of deliveries of the types with a prefix. */
function payloadsOf(prefix: string) {
  return z.union(
    Object.entries(webhookPayloads).flatMap(([type, schema]) =>
      type.startsWith(prefix) ? [schema] : [],
    ),
  );
}

function callbackOf({
  id,
  summary,
  description,
  schema,
}: {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly schema: z.ZodType;
}) {
  return {
    id,
    "{$request.body#/webhook_url}": {
      post: {
        operationId: `on${id}`,
        tags: ["Events"],
        summary,
        description,
        security: [],
        requestBody: { required: true, content: { "application/json": { schema } } },
        responses: { "2XX": { description: "The delivery is received." } },
      },
    },
  };
}

/** The deliveries to webhooks, by their type. */
export function webhookEvents(): NonNullable<ZodOpenApiObject["webhooks"]> {
  return Object.fromEntries(
    Object.entries(webhookPayloads).map(([type, schema]) => [
      type,
      {
        post: {
          operationId: `on${String(schema.meta()?.id)}`,
          tags: ["Events"],
          summary: `The event \`${type}\``,
          description: webhookDescription,
          security: [],
          requestBody: { required: true, content: { "application/json": { schema } } },
          responses: { "2XX": { description: "The delivery is received." } },
        },
      },
    ]),
  );
}
