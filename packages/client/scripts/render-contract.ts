import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { OpenApiDocument } from "@atelier/openapi";
import openapiTS, { astToString } from "openapi-typescript";

/**
 * Schemas of the client's requests and responses besides the bodies of `POST /v1/generate/…`; referenced
 * schemas are included.
 */
const roots = [
  "GenerationResponse",
  "ImageResult",
  "CombinedResult",
  "DiagramResult",
  "TracedResult",
  "JobAccepted",
  "Job",
  "JobList",
  "ChangeJobRequest",
  "KeptList",
  "NewCharacter",
  "ChangeCharacter",
  "KeptCharacter",
  "KeptCharacterList",
  "MemberAccepted",
  "NewLocation",
  "ChangeLocation",
  "KeptLocation",
  "KeptLocationList",
  "Collection",
  "CollectionList",
  "ChangeCollectionRequest",
  "NewPreset",
  "Preset",
  "PresetList",
  "Upload",
  "NewBatch",
  "Batch",
  "BatchList",
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
  "AccountWebhookSecret",
  "JobProgress",
  "Verification",
];

const header =
  "// Generated from the OpenAPI document by `npm run contract -w @atelier/client`. Do not edit.\n\n";

/** Renders the TypeScript of `src/contract.ts`: the types of requests and responses. */
export async function renderContract(document: OpenApiDocument): Promise<string> {
  const { openapi, info, components = {} } = document;
  const schemas = reachable(components.schemas ?? {}, [...generateBodies(document), ...roots]);
  const part = { openapi, info, paths: {}, components: { schemas } };
  const nodes = await openapiTS(JSON.stringify(part), { immutable: true, silent: true });
  const wanted = nodes.filter(
    (node) => "name" in node && (node.name as { readonly text?: string }).text === "components",
  );
  return format(header + astToString(wanted));
}

/** The names of the schemas of all bodies of `POST /v1/generate/…`. */
function generateBodies({ paths = {} }: OpenApiDocument): string[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    path.startsWith("/v1/generate/") ? referencesOf(item.post?.requestBody) : [],
  );
}

/** The names of the schemas that a part of the document refers to. */
function referencesOf(part: unknown): string[] {
  const references = JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  return Array.from(references, ([, name = ""]) => name);
}

/** Returns the schemas that are reachable from some of them, in the document's order. */
function reachable(
  schemas: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> {
  const found = new Set<string>();
  const visit = (name: string): void => {
    const schema = schemas[name];
    if (schema === undefined) throw new Error(`the document has no schema ${name}`);
    if (found.has(name)) return;
    found.add(name);
    for (const referred of referencesOf(schema)) visit(referred);
  };
  for (const name of names) visit(name);
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
