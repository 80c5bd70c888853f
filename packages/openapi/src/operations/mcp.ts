import * as z from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { errorAnswers, keyedErrors } from "../error-answers.ts";
import { headerReferences } from "../headers.ts";
import { examples } from "./answers.ts";

const message = z
  .looseObject({
    jsonrpc: z.literal("2.0"),
    id: z.union([z.string(), z.int()]).optional(),
    method: z.string().optional(),
    params: z.looseObject({}).optional(),
    result: z.looseObject({}).optional(),
    error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
  })
  .meta({ id: "JsonRpcMessage", description: "A message of JSON-RPC 2.0, as MCP defines it." });

/** `POST /mcp`. */
export function mcpOperations(): ZodOpenApiPathsObject {
  return {
    "/mcp": {
      post: {
        operationId: "callMcp",
        tags: ["Compatibility"],
        summary: "Model Context Protocol",
        description:
          "For MCP clients: Streamable HTTP with the same API keys. The tools list models, make images and stories, read jobs and the balance; an MCP client finds them by itself.",
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: message,
              examples: examples({
                tools: ["What can it do?", { jsonrpc: "2.0", id: 1, method: "tools/list" }],
              }),
            },
          },
        },
        responses: {
          "200": {
            description: "The answer, or a stream of messages that ends with it.",
            headers: headerReferences(["X-Request-Id"]),
            content: {
              "application/json": {
                schema: message,
                examples: examples({
                  tools: ["Tools", { jsonrpc: "2.0", id: 1, result: { tools: [] } }],
                }),
              },
              "text/event-stream": { schema: { type: "string" } },
            },
          },
          "202": {
            description: "A notification was taken.",
            headers: headerReferences(["X-Request-Id"]),
          },
          ...errorAnswers([...keyedErrors, "request_too_large", "unsupported_media_type"]),
        },
      },
    },
  };
}
