import { webhookPayloads } from "@atelier/schemas";
import * as z from "zod";
import type { ZodOpenApiCallbacksObject, ZodOpenApiObject } from "zod-openapi";

const description =
  "Sent to each webhook that receives this type, signed as Standard Webhooks. Any 2xx within 10 seconds is a success; otherwise the delivery is repeated with the same `webhook-id`.";

/** The deliveries to the `webhook_url` of a request. */
export const jobCallbacks = {
  jobEvent: {
    id: "JobEvent",
    "{$request.body#/webhook_url}": {
      post: {
        operationId: "onJobEvent",
        tags: ["Events"],
        summary: "An event of the job",
        description:
          "Sent to the `webhook_url` of the request for each of its `webhook_events`, signed as Standard Webhooks with the secret of the account. Any 2xx within 10 seconds is a success; otherwise the delivery is repeated with the same `webhook-id`.",
        security: [],
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: z.union(
                Object.entries(webhookPayloads).flatMap(([type, schema]) =>
                  type.startsWith("job.") ? [schema] : [],
                ),
              ),
            },
          },
        },
        responses: { "2XX": { description: "The delivery is received." } },
      },
    },
  },
} as const satisfies ZodOpenApiCallbacksObject;

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
          description,
          security: [],
          requestBody: { required: true, content: { "application/json": { schema } } },
          responses: { "2XX": { description: "The delivery is received." } },
        },
      },
    ]),
  );
}
