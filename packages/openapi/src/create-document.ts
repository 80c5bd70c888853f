import { createDocument } from "zod-openapi";
import { allowNull } from "./allow-null.ts";
import { errorComponents } from "./error-answers.ts";
import { headers } from "./headers.ts";
import { introduction } from "./introduction.ts";
import { accountOperations } from "./operations/account.ts";
import { fileOperations } from "./operations/files.ts";
import { generateOperations } from "./operations/generate.ts";
import { jobOperations } from "./operations/jobs.ts";
import { mcpOperations } from "./operations/mcp.ts";
import { openaiOperations } from "./operations/openai-images.ts";
import { serviceOperations } from "./operations/service.ts";
import { parameters } from "./parameters.ts";
import { createSamples } from "./sample-answers.ts";
import { shortenSchemas } from "./shorten-schemas.ts";

/** An OpenAPI 3.1 document, as it is served in JSON. */
export type OpenApiDocument = ReturnType<typeof createDocument>;

/** Of the contract, not of the software: the paths say `/v1` for as long as this begins with 1. */
const contractVersion = "1.0.0";

const tags = [
  { name: "Generate", description: "Make images and stories." },
  { name: "Jobs", description: "Every generation is a job: find it, poll it, cancel it." },
  { name: "Models and account", description: "What can be asked for, and what is left to spend." },
  { name: "Skill files", description: "Files that let AI assistants use the service." },
  { name: "Compatibility", description: "For clients that speak another contract." },
  { name: "Service", description: "For operators and tools; no key needed." },
];

/**
 * The HTTP contract as an OpenAPI 3.1 document, made from the schemas that validate requests and
 * answers.
 *
 * @param options.publicUrl where clients reach the server, such as `https://images.example.org`.
 */
export function createOpenApiDocument(options: { readonly publicUrl: string }): OpenApiDocument {
  const publicUrl = options.publicUrl.replace(/\/+$/, "");
  const samples = createSamples(publicUrl);
  const document = createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: "Atelier",
        version: contractVersion,
        summary: "Images and stories, made by AI models, moderated, signed and paid for once.",
        description: introduction,
        contact: { name: "The operator of this server", url: publicUrl },
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: publicUrl, description: "This server" }],
      tags,
      security: [{ bearer: [] }, { apiKey: [] }],
      paths: {
        ...generateOperations(samples),
        ...jobOperations(samples),
        ...accountOperations(samples),
        ...fileOperations(),
        ...openaiOperations(samples),
        ...mcpOperations(),
        ...serviceOperations(),
      },
      components: {
        securitySchemes: {
          bearer: {
            type: "http",
            scheme: "bearer",
            description: "An API key, as `Authorization: Bearer atl_live_…`.",
          },
          apiKey: {
            type: "apiKey",
            in: "header",
            name: "X-API-Key",
            description: "An API key, where Authorization cannot be set.",
          },
        },
        parameters,
        headers,
        examples: errorComponents(),
      },
    },
    { override: shortenSchemas },
  );
  allowNull(document);
  return document;
}
