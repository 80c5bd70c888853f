import { fileFormat, fileList, fileRequest, type FileList } from "@atelier/schemas";
import * as z from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { errorResponses, keyedErrors, reservedResponses } from "../error-responses.ts";
import { headerReferences, rateHeaders } from "../headers.ts";
import { parameterReferences } from "../parameters.ts";
import { examples, jsonResponse } from "./responses.ts";

const listed: FileList = {
  files: [
    {
      slug: "image-generation",
      name: "Image generation",
      description: "Make an image from a prompt.",
      version: "1.0.0",
      formats: [...fileFormat.options],
    },
  ],
};

const slug = z.string().meta({
  description: "The `slug` of a template of `GET /v1/files`.",
  examples: ["image-generation"],
});

/** `GET /v1/files` and `POST /v1/files/{slug}`. */
export function fileOperations(): ZodOpenApiPathsObject {
  return {
    "/v1/files": {
      get: {
        operationId: "listFiles",
        tags: ["Skill files"],
        summary: "List skill files",
        description:
          "Templates of files with which an AI assistant can use this service on the account's behalf.",
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": jsonResponse(
            "All templates.",
            {
              schema: fileList.meta({ id: "FileList" }),
              examples: examples({ files: ["One template", listed] }),
            },
            rateHeaders,
          ),
          ...errorResponses(keyedErrors, "keyed"),
          ...reservedResponses([402, 404, 409, 422, 451, 502]),
        },
      },
    },
    "/v1/files/{slug}": {
      post: {
        operationId: "downloadFile",
        tags: ["Skill files"],
        summary: "Download a skill file",
        description:
          "Returns the template as a file with an API key, the server's address and its models. The key is the caller's; with `key`, it is a new one with a budget; with `embed_key: false`, the file contains none. **The file contains a secret:** anyone who has it can spend what the key may spend.",
        requestParams: { path: z.strictObject({ slug }) },
        parameters: parameterReferences(["RequestId"]),
        requestBody: {
          required: false,
          content: {
            "application/json": {
              schema: fileRequest.meta({ id: "FileRequest" }),
              examples: examples({
                first: ["The template's first format", {}],
                curl: ["A shell script", { format: "curl" }],
                limited: [
                  "A key for this file, for 2 EUR and 30 days",
                  { key: { budget_eur: "2.00", expires_in_days: 30 } },
                ],
              }),
            },
          },
        },
        responses: {
          "200": {
            description: "The file.",
            headers: headerReferences(["X-Request-Id", "Content-Disposition", ...rateHeaders]),
            content: {
              "application/zip": {},
              "text/markdown": {
                schema: { type: "string" },
                examples: examples({
                  agents: ["The beginning of an AGENTS.md", "# Image generation\n"],
                }),
              },
              "text/x-shellscript": {
                schema: { type: "string" },
                examples: examples({ curl: ["The beginning of a script", "#!/bin/sh\n"] }),
              },
              "application/json": {
                schema: { type: "object" },
                examples: examples({
                  mcp: [
                    "A configuration of MCP",
                    {
                      mcpServers: {
                        atelier: { type: "http", url: "https://atelier.example/mcp", headers: {} },
                      },
                    },
                  ],
                }),
              },
            },
          },
          ...errorResponses(
            [
              ...keyedErrors,
              "request_too_large",
              "unsupported_media_type",
              "file_not_found",
              "too_many_keys",
            ],
            "keyed",
          ),
        },
      },
    },
  };
}
