import type { OpenApiDocument } from "@atelier/openapi";
import { whitePng } from "../../packages/guarded-fetch/src/testing/images.ts";
import type { Random } from "../shared/random.ts";
import { mutate, spoil } from "./mutate.ts";

/** A valid or invalid request. */
export interface FuzzedRequest {
  /** The targeted operation of the document, such as `GET /v1/jobs/{id}`; null for none. */
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

/** Material for requests. */
interface Material {
  readonly operations: readonly [Operation, ...Operation[]];
  readonly keys: readonly [string, ...string[]];
  /** Job ids of both accounts; grows as jobs are accepted. */
  readonly jobIds: readonly string[];
  readonly memberIds: readonly string[];
}

export interface Operation {
  readonly name: string;
  readonly method: string;
  readonly template: string;
  /** Valid bodies; empty for operations without a body. */
  readonly bodies: readonly unknown[];
  /** Whether it accepts files as well as JSON. */
  readonly takesFiles: boolean;
}

/** Returns the operations of a document with their example requests. */
export function operationsOf(document: OpenApiDocument): readonly Operation[] {
  const components = document.components as unknown as {
    readonly examples: Record<string, { readonly value: unknown }>;
  };
  return Object.entries(document.paths ?? {}).flatMap(([template, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const { requestBody } = operation as {
        requestBody?: { content: Record<string, { examples?: Record<string, Example> }> };
      };
      const examples = Object.values(requestBody?.content["application/json"]?.examples ?? {});
      const takesFiles = requestBody?.content["multipart/form-data"] !== undefined;
      return {
        takesFiles,
        name: `${method.toUpperCase()} ${template}`,
        method: method.toUpperCase(),
        template,
        bodies: examples.map(({ $ref, value }) =>
          $ref === undefined ? value : components.examples[$ref.split("/").at(-1) ?? ""]?.value,
        ),
      };
    }),
  );
}

interface Example {
  readonly $ref?: string;
  readonly value?: unknown;
}

const segments = ["%2e%2e", "%00", "a%2Fb", "%F0%9F%92%A9", "a".repeat(3_000), "%zz", "__proto__"];
const queries = [
  "limit=5",
  "limit=0",
  "limit=-1",
  "limit=1e9",
  "limit=5&limit=6",
  "cursor=abc",
  "cursor=%00",
  "status=completed",
  "status[]=completed",
  "status=nothing",
  "kind=story&status=pending",
  "__proto__=1",
  "unknown=1",
] as const;
const prefers = [
  "respond-async",
  "wait=0",
  "wait=-5",
  "wait=abc",
  "respond-async, wait=1",
  "",
] as const;
/** Types of bodies with files. */
const fileTypes = [
  "image/png",
  "image/jpeg",
  "application/octet-stream",
  "multipart/form-data; boundary=x",
  "multipart/form-data",
] as const;
/** A white PNG of 64 × 64 pixels. */
const image = whitePng(64, 64);
const contentTypes = [
  "application/json",
  "application/json; charset=utf-8",
  "application/json; charset=latin1",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "",
] as const;

/** Creates one request: as in the document, or with some errors. */
export function makeRequest(material: Material, random: Random): FuzzedRequest {
  const operation = random.pick(material.operations);
  const chance = (share: number) => random.next() < share;
  const ids = operation.template.includes("/members/") ? material.memberIds : material.jobIds;
  const id = ids[random.between(0, ids.length)] ?? crypto.randomUUID();
  const segment = chance(0.7) ? id : random.pick(segments as [string, ...string[]]);
  const path = operation.template.replace(
    /\{[^}]+\}/,
    operation.template.includes("files") && chance(0.7) ? "image-generation" : segment,
  );
  const isUnknownPath = chance(0.03);
  const headers: Record<string, string> = {};
  if (chance(0.96)) headers["Authorization"] = `Bearer ${random.pick(material.keys)}`;
  if (chance(0.02))
    headers["Authorization"] = random.pick(["Bearer", "Basic YTpi", "Bearer atl_live_x"]);
  if (chance(0.3)) headers["Prefer"] = random.pick(prefers);
  if (chance(0.3)) {
    headers["Idempotency-Key"] = chance(0.9)
      ? `key-${random.between(1, 500)}`
      : "k".repeat(random.between(0, 400));
  }
  if (chance(0.1))
    headers["X-Request-Id"] = random.pick(["mine-1", "a b", "x".repeat(500), "<script>"]);
  const method = isUnknownPath
    ? random.pick(["PUT", "PATCH", "OPTIONS", "GET", "DELETE"])
    : operation.method;
  const isFile = operation.takesFiles && method !== "GET" && chance(0.5);
  const body = isFile
    ? makeFile(random, chance)
    : makeBody(
        { ...operation, bodies: bodiesOf(operation, material, random), method },
        random,
        chance,
      );
  if (isFile) {
    headers["Content-Type"] = random.pick(fileTypes);
  } else if (body !== null || chance(0.05)) {
    headers["Content-Type"] = chance(0.95) ? "application/json" : random.pick(contentTypes);
  }
  return {
    // `fetch` resolves dot segments, which changes the path to that of another operation or of
    // none.
    operation: isUnknownPath || path.includes("/%2e%2e") ? null : operation.name,
    method,
    path: `${isUnknownPath ? `${path}/more` : path}${chance(0.2) ? `?${random.pick(queries)}` : ""}`,
    headers,
    body,
  };
}

/** The bodies of an operation; what a member created is handed over to another one that exists. */
function bodiesOf(
  { template, bodies }: Operation,
  { memberIds }: Material,
  random: Random,
): readonly unknown[] {
  if (!template.endsWith("/hand-over")) return bodies;
  return [{ to: memberIds[random.between(0, memberIds.length)] ?? crypto.randomUUID() }];
}

/** A small image or a form with one, sometimes damaged. */
function makeFile(random: Random, chance: (share: number) => boolean): Uint8Array {
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
  const parts = chance(0.5) ? [image] : [Buffer.from(head), image, Buffer.from("\r\n--x--")];
  const file = Buffer.concat(parts);
  if (chance(0.3)) file[random.between(0, file.length - 1)] = random.between(0, 255);
  return chance(0.2) ? file.subarray(0, random.between(0, file.length)) : file;
}

function makeBody(
  { bodies, method }: Operation,
  random: Random,
  chance: (share: number) => boolean,
): string | Uint8Array | null {
  if (method === "GET") return null;
  let body = (bodies[random.between(0, bodies.length - 1)] ?? {}) as Parameters<typeof mutate>[0];
  if (bodies.length === 0 && chance(0.8)) return null;
  while (chance(0.45)) body = mutate(body, random);
  const text = JSON.stringify(body);
  return chance(0.03) ? spoil(text, random) : text;
}
