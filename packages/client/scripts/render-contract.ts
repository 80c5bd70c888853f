import type { OpenApiDocument } from "@atelier/openapi";
import openapiTS, { astToString } from "openapi-typescript";
import { format } from "./format.ts";

/** Schemas of events and of requests without a key; those of endpoints are added, and what they refer to. */
const roots = ["JobProgress", "Verification"];

/** Schemas whose properties are arguments of the client's methods, and one without a method. */
const withoutType = [
  "NewCollection",
  "RotateKeyRequest",
  "RotateSecretRequest",
  "AccountSecretRequest",
  "OneModel",
];

const header =
  "// Generated from the OpenAPI document by `npm run contract -w @atelier/client`. Do not edit.\n\n";

/** Renders the TypeScript of `src/contract.ts`: the types of requests and responses. */
export async function renderContract(document: OpenApiDocument): Promise<string> {
  const { openapi, info, components = {} } = document;
  const names = referencesOf(endpointsOf(document)).filter((name) => !withoutType.includes(name));
  const schemas = reachable(components.schemas ?? {}, [...names, ...roots]);
  const part = { openapi, info, paths: {}, components: { schemas } };
  const nodes = await openapiTS(JSON.stringify(part), { immutable: true, silent: true });
  const wanted = nodes.filter(
    (node) => "name" in node && (node.name as { readonly text?: string }).text === "components",
  );
  return format(header + astToString(wanted), "contract.ts");
}

/** The parts of an operation that are read here. */
interface Operation {
  readonly tags: readonly string[];
  readonly parameters?: readonly {
    readonly in?: string;
    readonly name: string;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}
type Content = Readonly<Record<string, { readonly schema?: JsonSchema }>>;
interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
}

/** Renders the TypeScript of `src/generated/endpoints.ts`: query, body and result of each endpoint. */
export function renderEndpoints(document: OpenApiDocument): Promise<string> {
  const lines = endpointsOf(document).map(({ name, query, body, result }) => {
    const properties = [
      ...(query === null ? [] : [`readonly query: ${query};`]),
      ...(body === null ? [] : [`readonly body: ${typeNamed(body)};`]),
      `readonly result: ${result.map(typeNamed).join(" | ")};`,
    ];
    return `  "${name}": { ${properties.join(" ")} };`;
  });
  return format(
    `${header}import type { components } from "../contract.ts";

type Schemas = components["schemas"];

/** The operations of the service that respond with JSON or without a body. */
export interface Endpoints {
${lines.join("\n")}
}
`,
    "endpoints.ts",
  );
}

interface Endpoint {
  /** Such as `GET /v1/presets`. */
  readonly name: string;
  readonly query: string | null;
  readonly body: string | null;
  readonly result: readonly string[];
}

/** Reads the operations with a key that respond with JSON or without a body, without those of OpenAI. */
function endpointsOf({ paths = {} }: OpenApiDocument): Endpoint[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Readonly<Record<string, Operation>>).flatMap(([method, operation]) => {
      const result = resultOf(operation);
      const isOwn = path.startsWith("/v1/") && !operation.tags.includes("Compatibility");
      if (!isOwn || result === null) return [];
      const name = `${method.toUpperCase()} ${path}`;
      const { parameters, requestBody } = operation;
      return [
        { name, result, query: queryOf(parameters), body: referenceOf(requestBody?.content) },
      ];
    }),
  );
}

/** The references to the schemas of all successful responses, or `void`; null when one is no JSON. */
function resultOf({ responses }: Operation): string[] | null {
  const bodies = Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([, { content }]) => (content === undefined ? "void" : referenceOf(content)));
  const named = bodies.filter((body) => body !== null);
  return named.length < bodies.length ? null : [...new Set(named)];
}

function referenceOf(content: Content | undefined): string | null {
  return content?.["application/json"]?.schema?.$ref ?? null;
}

function typeNamed(reference: string): string {
  const name = reference.split("/").at(-1) ?? "";
  if (reference === "void") return reference;
  return withoutType.includes(name) ? "object" : `Schemas["${name}"]`;
}

function queryOf(parameters: Operation["parameters"] = []): string | null {
  const properties = parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name, schema }) => `readonly "${name}"?: ${typeOfQuery(schema)} | undefined;`);
  return properties.length === 0 ? null : `{ ${properties.join(" ")} }`;
}

function typeOfQuery({ $ref, enum: values, type }: JsonSchema): string {
  if ($ref !== undefined) return `Schemas["${$ref.split("/").at(-1)}"]`;
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(" | ");
  return type === "integer" || type === "number" ? "number" : (type ?? "string");
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
