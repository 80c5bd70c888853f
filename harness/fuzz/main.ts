import { parseArgs } from "node:util";
import { redeemStudioLink } from "@atelier/accounts";
import { auditDatabase } from "@atelier/audit";
import type { OpenApiDocument } from "@atelier/openapi";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import { startServices } from "../shared/start-services.ts";
import { createDocumentChecks } from "@atelier/openapi/testing";
import { createRandom } from "../shared/random.ts";
import { makeRequest, operationsOf, type FuzzedRequest, type Operation } from "./make-request.ts";

/**
 * Sends valid and invalid requests that are generated from the service's OpenAPI document. Checks
 * that each response conforms to it: no undeclared status, code, header or property, no server
 * error, and nothing stored or held for refused requests. The same seed gives the same requests.
 *
 * npm run test:fuzz -- --requests 100000 --seed 1 [--json]
 */
const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "5000" },
    seed: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
  },
});
const total = Number(values.requests);
const concurrency = 16;
const maxShown = 20;

const services = await startServices("fuzz");
const stack = await startStack({
  postgresUrl: services.postgresUrl,
  processes: true,
  workers: 0,
  environment: {
    GENERATIONS_PER_MINUTE: "100000000",
    OTHER_REQUESTS_PER_MINUTE: "100000000",
    FAILED_AUTHENTICATIONS_PER_MINUTE: "100000000",
    VERIFICATIONS_PER_MINUTE: "100000000",
    MAX_UNFINISHED_JOBS: "100000000",
    MAX_QUEUE_DEPTH: "100000000",
    MAX_QUEUE_AGE_SECONDS: "86400",
    // No worker runs here, so waiting requests receive 202.
    MAX_WAIT_SECONDS: "0.01",
    FACADE_MAX_WAIT_SECONDS: "0.01",
    SHARES: "on",
    ABUSE_CONTACT: "abuse@example.com",
    LOG_LEVEL: "error",
  },
});
try {
  process.exitCode = (await fuzz(stack)) ? 0 : 1;
} finally {
  await stack.stop();
  await services.stop();
}

/** @returns whether every response was valid. */
async function fuzz(service: Stack): Promise<boolean> {
  const { url, database, api } = service;
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
  const checks = createDocumentChecks(document);
  const [first, ...others] = operationsOf(document).filter(({ name }) => !name.endsWith("/docs"));
  if (first === undefined) throw new Error("the document has no operations");
  const operations: [Operation, ...Operation[]] = [first, ...others];
  const rich = [await service.createAccount("1000000"), await service.createAccount("1000000")];
  const poor = await service.createAccount("0");
  const members = await addMembers(service, rich);
  const keys: [string, ...string[]] = [
    poor.key,
    // Members are soon disabled and removed, and their requests refused.
    ...rich.flatMap(({ key }) => Array.from({ length: 8 }, () => key)),
    ...members.keys,
  ];
  const random = createRandom(Number(values.seed));
  const jobIds: string[] = [];
  const announced = new Set<string>();
  const statuses = new Map<number, number>();
  const problems: string[] = [];
  /** Operations on members that succeeded. */
  const ofMembers = new Set<string>();
  let sent = 0;

  async function send(request: FuzzedRequest): Promise<void> {
    const { operation, method, path, headers, body } = request;
    const init = { method, headers, ...(body === null ? {} : { body: Buffer.from(body) }) };
    const response = await fetch(url + path, init);
    const answer = await readAnswer(response);
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    const jobId = response.headers.get("X-Service-Job-Id");
    if (operation === "POST /v1/members" && response.status === 201) {
      members.ids.push((answer as { readonly id: string }).id);
    }
    if (jobId !== null && !announced.has(jobId)) {
      announced.add(jobId);
      if (jobIds.length < 1_000) jobIds.push(jobId);
    }
    if (operation?.includes("/members") === true && response.ok) ofMembers.add(operation);
    const found =
      operation === null
        ? problemsOfError(response, answer)
        : checks.problemsOf(operation, response, answer);
    if (response.status === 500) found.push("a fault of the server");
    for (const problem of found) problems.push(`${problem}  ${describe(request, response.status)}`);
  }

  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (sent < total) {
        sent++;
        if (sent % 5_000 === 0) process.stderr.write(`${sent} of ${total}\n`);
        const request = makeRequest({ operations, keys, jobIds, memberIds: members.ids }, random);
        await send(request).catch((error: unknown) => {
          problems.push(`no answer: ${String(error)}  ${describe(request, 0)}`);
        });
      }
    }),
  );

  for (const { name } of total < 20_000 ? [] : operations) {
    if (name.includes("/members") && !ofMembers.has(name)) problems.push(`${name} never succeeded`);
  }
  // The jobs of a batch are named by its results, not by the response to their request.
  const generations = await database.query<{ id: string }>(
    "SELECT id FROM generation WHERE batch_id IS NULL",
  );
  const unannounced = generations.filter(({ id }) => !announced.has(id));
  for (const { id } of unannounced) problems.push(`job ${id} was stored, but no response named it`);
  for (const { invariant, violations } of await auditDatabase(database)) {
    if (violations > 0) problems.push(`${violations} times broken: ${invariant}`);
  }
  const log = problems.some((problem) => problem.includes("fault")) ? await api.log() : "";
  report({ sent, jobs: generations.length, statuses, problems, log });
  return problems.length === 0;
}

/**
 * Invites members of the three roles to each account, and knows the secrets of their keys, which only links contain
 * otherwise.
 */
async function addMembers(service: Stack, accounts: readonly TestAccount[]) {
  const pepper = service.environment["KEY_PEPPER"] ?? "";
  const ids: string[] = [];
  const keys: string[] = [];
  for (const account of accounts) {
    for (const role of ["owner", "manager", "maker"]) {
      const body = { name: `a ${role}`, role };
      const response = await service.request(account, "POST", "/v1/members", body);
      const { id, link } = (await response.json()) as { id: string; link: string };
      const key = await redeemStudioLink(service.database, {
        link: link.split("#link=")[1] ?? "",
        peppers: [pepper],
      });
      if (key === null) throw new Error("the link of an invitation signs in");
      ids.push(id);
      keys.push(key);
    }
  }
  return { ids, keys };
}

/**
 * Checks a response that belongs to no operation: it must be an error in our format or OpenAI's.
 */
function problemsOfError(response: Response, body: unknown): string[] {
  if (response.ok) return [];
  const { error, message, request_id: requestId } = (body ?? {}) as Record<string, unknown>;
  const { message: nested, type } = (error ?? {}) as Record<string, unknown>;
  const isWell =
    [error, message, requestId].every((part) => typeof part === "string") ||
    [nested, type].every((part) => typeof part === "string");
  return isWell ? [] : [`${response.status} without a well-formed error`];
}

function describe({ method, path, headers, body }: FuzzedRequest, status: number): string {
  const text = body === null ? "" : Buffer.from(body).toString().slice(0, 300);
  const { Authorization: _, ...shown } = headers;
  return `${status} ${method} ${path.slice(0, 120)} ${JSON.stringify(shown)} ${text}`;
}

function report(run: {
  readonly sent: number;
  readonly jobs: number;
  readonly statuses: ReadonlyMap<number, number>;
  readonly problems: readonly string[];
  readonly log: string;
}): void {
  const { sent, jobs, problems, log } = run;
  const statuses = Object.fromEntries([...run.statuses].sort(([a], [b]) => a - b));
  if (values.json) {
    process.stdout.write(
      `${JSON.stringify({ seed: values.seed, sent, jobs, statuses, problems })}\n`,
    );
    return;
  }
  process.stdout.write(
    [
      `${sent} requests by seed ${values.seed}, ${jobs} jobs accepted`,
      ...Object.entries(statuses).map(([status, count]) => `  ${status}  ${count}`),
      `${problems.length} problems`,
      ...problems.slice(0, maxShown),
      log.slice(-3_000),
      "",
    ].join("\n"),
  );
}

/** Reads the body of a response. An event stream stays open and is closed without reading it. */
async function readAnswer(response: Response): Promise<unknown> {
  const type = response.headers.get("Content-Type") ?? "";
  if (type.startsWith("application/json")) return response.json();
  if (!type.startsWith("text/event-stream")) return response.text();
  await response.body?.cancel();
  return "";
}
