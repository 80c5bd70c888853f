import * as z from "zod";
import { fileFormat, fileList, fileRequest, type FileList } from "../files.ts";
import { endpoint, json } from "./endpoint.ts";
import { exampleUrl } from "./samples.ts";

const tag = "Skill files";

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

export const listFiles = endpoint({
  id: "listFiles",
  route: "GET /v1/files",
  tag,
  summary: "List skill files",
  description:
    "Templates of files with which an AI assistant can use this service on the account's behalf.",
  scope: [],
  results: { 200: json("All templates.", fileList, { files: ["One template", listed] }) },
  reserved: [402, 404, 409, 422, 451, 502],
});

export const downloadFile = endpoint({
  id: "downloadFile",
  route: "POST /v1/files/{slug}",
  tag,
  summary: "Download a skill file",
  description:
    "Returns the template as a file with an API key, the server's address and its models. The key is the caller's; with `key`, it is a new one with a budget; with `embed_key: false`, the file contains none. **The file contains a secret:** anyone who has it can spend what the key may spend.",
  scope: [],
  params: {
    slug: z.string().meta({
      description: "The `slug` of a template of `GET /v1/files`.",
      examples: ["image-generation"],
    }),
  },
  body: {
    schema: fileRequest,
    examples: {
      first: ["The template's first format", {}],
      curl: ["A shell script", { format: "curl" }],
      limited: [
        "A key for this file, for 2 EUR and 30 days",
        { key: { budget_eur: "2.00", expires_in_days: 30 } },
      ],
    },
    isOptional: true,
  },
  results: {
    200: {
      description: "The file.",
      headers: ["Content-Disposition"],
      content: {
        "application/zip": {},
        "text/markdown": {
          schema: z.string(),
          examples: { agents: ["The beginning of an AGENTS.md", "# Image generation\n"] },
        },
        "text/x-shellscript": {
          schema: z.string(),
          examples: { curl: ["The beginning of a script", "#!/bin/sh\n"] },
        },
        "application/json": {
          schema: z.unknown().meta({ type: "object" }),
          examples: {
            mcp: [
              "A configuration of MCP",
              { mcpServers: { atelier: { type: "http", url: `${exampleUrl}/mcp`, headers: {} } } },
            ],
          },
        },
      },
    },
  },
  errors: ["file_not_found", "too_many_keys"],
});

/** `/v1/files`. */
export const fileEndpoints = [listFiles, downloadFile] as const;
