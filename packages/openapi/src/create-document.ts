import { jobProgress, operations as defaultOperations, type Operations } from "@atelier/schemas";
import { resourceTags } from "@atelier/schemas/resources";
import { adminEndpoints } from "@atelier/schemas/admin";
import { createEndpoints, type Endpoint } from "@atelier/schemas/endpoints";
import { createDocument } from "zod-openapi";
import { allowNull } from "./allow-null.ts";
import { describeEndpoints, keyedConventions } from "./describe-endpoints.ts";
import { errorComponents, operatorErrors } from "./error-responses.ts";
import { headers } from "./headers.ts";
import { introduction } from "./introduction.ts";
import { mcpOperations } from "./operations/mcp.ts";
import { serviceOperations } from "./operations/service.ts";
import { softBindingOperations } from "./operations/soft-bindings.ts";
import { verifyOperations } from "./operations/verify.ts";
import { webhookEvents } from "./webhook-events.ts";
import { parameters } from "./parameters.ts";
import { shortenSchemas } from "./shorten-schemas.ts";
import type { OpenApiDocument } from "./openapi-document.ts";

/** Version of the contract, not of the software. Its major version is the `/v1` of the paths. */
const contractVersion = "1.0.0";

const tags = [
  { name: "Generate", description: "Make images and stories." },
  { name: "Jobs", description: "Every generation is a job: list, read and cancel jobs." },
  { name: "Batches", description: "Send many requests at once, with low priority." },
  { name: "Assistant", description: "Better prompts and drafted stories, free of charge." },
  { name: "Events", description: "Follow jobs as they change: event streams and webhooks." },
  { name: "Uploads", description: "Images of your own that requests refer to." },
  ...resourceTags,
  { name: "Characters", description: "Characters and locations that stay until they are deleted." },
  { name: "Models and account", description: "Available models and prices, and the balance." },
  { name: "Usage", description: "What was made and charged, and what a request would cost." },
  { name: "Keys", description: "Keys with scopes, models, budgets and an expiry." },
  { name: "Budgets", description: "What the jobs of several keys may cost together." },
  { name: "Members", description: "People who sign in to Studio as themselves." },
  { name: "Skill files", description: "Files that let AI assistants use the service." },
  { name: "Compatibility", description: "For clients of other protocols." },
  { name: "Verification", description: "Find out where an image comes from, without a key." },
  { name: "Service", description: "For operators and tools, without a key." },
];

interface DocumentOptions {
  /** Where clients reach the server, such as `https://images.example.org`. */
  readonly publicUrl: string;
  /** Default: all operations of this service. */
  readonly operations?: Operations;
  /** Default: all endpoints of this service. */
  readonly endpoints?: readonly Endpoint[];
}

/**
 * Creates the OpenAPI 3.1 document of the HTTP API from the schemas that validate requests and describe
 * responses.
 */
export function createOpenApiDocument(options: DocumentOptions): OpenApiDocument {
  const { operations = defaultOperations, endpoints = createEndpoints(operations) } = options;
  const publicUrl = options.publicUrl.replace(/(?<!\/)\/+$/, "");
  const document = createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: "Atelier",
        version: contractVersion,
        summary: "Generates images and stories with AI models: moderated, signed, charged once.",
        description: introduction,
        contact: { name: "The operator of this server", url: publicUrl },
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: publicUrl, description: "This server" }],
      tags,
      security: [{ bearer: [] }, { apiKey: [] }],
      paths: {
        ...describeEndpoints(endpoints, { publicUrl, ...keyedConventions }),
        ...mcpOperations(),
        ...verifyOperations(),
        ...softBindingOperations(),
        ...serviceOperations(),
      },
      webhooks: webhookEvents(),
      components: {
        // Of events in streams, whose content has no schema.
        schemas: { JobProgress: jobProgress },
        securitySchemes: {
          bearer: {
            type: "http",
            scheme: "bearer",
            description:
              "An API key, as `Authorization: Bearer atl_live_…`; those of tests begin with `atl_test_`.",
          },
          apiKey: {
            type: "apiKey",
            in: "header",
            name: "X-API-Key",
            description: "An API key, for clients that cannot set Authorization.",
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

const adminIntroduction = `
Operations of the operators' console, at the admin port. Sign in with \`POST /admin/v1/session\`: the cookie of the
response opens all others. Requests come from pages of the console: a write needs the header \`Origin\` of its own
address, and the role \`operator\`. Each write leaves a line in the operator log, and does not happen without it.

The console changes with the service: these paths are not covered by the promises of \`/v1\`.
`.trim();

/** Creates the document of the operations under `/admin/v1`. @param url where browsers reach the admin port. */
export function createAdminDocument(url: string): OpenApiDocument {
  const document = createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: "Atelier, operators' console",
        version: contractVersion,
        description: adminIntroduction,
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url, description: "The admin port" }],
      tags: [
        { name: "Session", description: "Sign in and out." },
        { name: "Accounts", description: "Accounts, their credit, members and keys." },
        { name: "Jobs", description: "Jobs of all accounts, their life and refunds." },
        { name: "Health", description: "Lanes, providers and workers." },
      ],
      security: [{ session: [] }],
      paths: describeEndpoints(adminEndpoints, {
        publicUrl: url,
        errors: operatorErrors,
        headers: [],
      }),
      components: {
        securitySchemes: {
          session: {
            type: "apiKey",
            in: "cookie",
            name: "__Host-atelier_console_3001",
            description: "Set by `POST /admin/v1/session`. Its name ends with `ADMIN_PORT`.",
          },
        },
        parameters: { RequestId: parameters.RequestId },
        headers: {
          "X-Request-Id": headers["X-Request-Id"],
          "Retry-After": headers["Retry-After"],
          "WWW-Authenticate": headers["WWW-Authenticate"],
        },
        examples: errorComponents(true),
      },
    },
    { override: shortenSchemas },
  );
  allowNull(document);
  return document;
}
