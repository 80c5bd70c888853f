import { webhookPayloads } from "@atelier/schemas";
import type { ZodOpenApiObject } from "zod-openapi";

const description =
  "Sent to each webhook that receives this type, signed as Standard Webhooks. Any 2xx within 10 seconds is a success; otherwise the delivery is repeated with the same `webhook-id`.";

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
