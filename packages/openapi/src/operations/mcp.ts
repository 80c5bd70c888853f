import { errorBody, type OperationError } from "@atelier/schemas";
import * as z from "zod";
import type { ZodOpenApiPathsObject, ZodOpenApiResponseObject } from "zod-openapi";
import { errorResponses, exampleReferences, keyedErrors } from "../error-responses.ts";
import { headerReferences, rateHeaders } from "../headers.ts";
import { examples, jsonResponse } from "./responses.ts";

const message = z
  .looseObject({
    jsonrpc: z.literal("2.0"),
    id: z.union([z.string(), z.number(), z.null()]).optional(),
    method: z.string().optional(),
    params: z.looseObject({}).optional(),
    result: z.looseObject({}).optional(),
    error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
  })
  .meta({ id: "JsonRpcMessage", description: "A JSON-RPC 2.0 message of MCP." });

/** `POST /mcp`. */
export function mcpOperations(): ZodOpenApiPathsObject {
  return {
    "/mcp": {
      post: {
        operationId: "callMcp",
        tags: ["Compatibility"],
        summary: "Model Context Protocol",
        description:
          "For MCP clients: Streamable HTTP with the same API keys. The tools list models, make images and stories, list, read and cancel jobs, and read the balance; MCP clients discover them.",
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: message,
              examples: examples({
                tools: ["List the tools", { jsonrpc: "2.0", id: 1, method: "tools/list" }],
              }),
            },
          },
        },
        responses: {
          "200": {
            description: "The response, or a stream of messages that ends with it.",
            headers: headerReferences(["X-Request-Id", ...rateHeaders]),
            content: {
              "application/json": {
                schema: message,
                examples: examples({
                  tools: ["Tools", { jsonrpc: "2.0", id: 1, result: { tools: [] } }],
                }),
              },
              "text/event-stream": {
                schema: { type: "string" },
                examples: examples({
                  tools: [
                    "Tools, as the end of a stream",
                    'event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}\n\n',
                  ],
                }),
              },
            },
          },
          "202": {
            description: "The notification was accepted.",
            headers: headerReferences(["X-Request-Id", ...rateHeaders]),
          },
          ...errorResponses(keyedErrors, "keyed"),
          "400": protocolResponse(
            "Bad Request",
            ["invalid_request", "request_too_large", "unsupported_media_type"],
            [-32_600, "Invalid Request"],
          ),
          "403": protocolResponse(
            "Forbidden, for example a foreign origin",
            ["account_suspended"],
            [-32_000, "Invalid Origin: evil.example"],
          ),
          "406": protocolResponse(
            "The client does not accept both JSON and an event stream",
            [],
            [-32_000, "Not Acceptable"],
          ),
        },
      },
    },
  };
}

/** An error response: a JSON-RPC error of the protocol, or an error body of the API. */
function protocolResponse(
  description: string,
  codes: readonly OperationError[],
  [code, text]: readonly [code: number, text: string],
): ZodOpenApiResponseObject {
  const refusal = { jsonrpc: "2.0", error: { code, message: text }, id: null };
  const content = {
    schema: z.union([errorBody, message]),
    examples: {
      ...exampleReferences(codes),
      ...examples({ protocol: ["A protocol error", refusal] }),
    },
  };
  return jsonResponse(description, content, rateHeaders);
}
