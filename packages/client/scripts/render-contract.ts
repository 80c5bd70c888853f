import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { OpenApiDocument } from "@atelier/openapi";
import openapiTS, { astToString } from "openapi-typescript";

/** Schemas of the client's requests and responses; referenced schemas are included. */
const roots = [
  "ImageRequest",
  "StoryRequest",
  "SceneRequest",
  "EditRequest",
  "CombineRequest",
  "GraphicRequest",
  "DiagramRequest",
  "GenerationResponse",
  "JobAccepted",
  "Job",
  "JobList",
  "Upload",
  "ModelList",
  "Account",
  "UpdateAccountRequest",
  "ApiKey",
  "ApiKeyList",
  "ChangedKey",
  "MintedKey",
  "CreateKeyRequest",
  "UpdateKeyRequest",
  "Usage",
  "Webhook",
  "TransactionList",
  "QuoteRequest",
  "Quote",
  "FileList",
  "EventType",
  "CreateWebhookRequest",
  "UpdateWebhookRequest",
  "WebhookWithSecret",
  "WebhookList",
  "WebhookDeliveryList",
  "Verification",
];

const header =
  "// Generated from the OpenAPI document by `npm run contract -w @atelier/client`. Do not edit.\n\n";

/** Renders the TypeScript of `src/contract.ts`: the types of requests and responses. */
export async function renderContract(document: OpenApiDocument): Promise<string> {
  const { openapi, info, components = {} } = document;
  const schemas = reachable(components.schemas ?? {});
  const part = { openapi, info, paths: {}, components: { schemas } };
  const nodes = await openapiTS(JSON.stringify(part), { immutable: true, silent: true });
  const wanted = nodes.filter(
    (node) => "name" in node && (node.name as { readonly text?: string }).text === "components",
  );
  return format(header + astToString(wanted));
}

/** Returns the schemas that the client uses, in the document's order. */
function reachable(schemas: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const found = new Set<string>();
  const visit = (name: string): void => {
    const schema = schemas[name];
    if (schema === undefined) throw new Error(`the document has no schema ${name}`);
    if (found.has(name)) return;
    found.add(name);
    const references = JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g);
    for (const [, referred = ""] of references) visit(referred);
  };
  for (const root of roots) visit(root);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)));
}

function format(source: string): Promise<string> {
  const oxfmt = createRequire(import.meta.url).resolve("oxfmt/package.json");
  return new Promise((resolve, reject) => {
    const args = [join(dirname(oxfmt), "bin/oxfmt"), "--stdin-filepath=contract.ts"];
    const formatter = execFile(process.execPath, args, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
    formatter.stdin?.end(source);
  });
}
