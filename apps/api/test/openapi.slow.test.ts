import { setSuspended } from "@atelier/accounts";
import { parseConfig } from "@atelier/configuration";
import { createOpenApiDocument, type OpenApiDocument } from "@atelier/openapi";
import { createDocumentChecks, type DocumentChecks } from "@atelier/openapi/testing";
import type { Job } from "@atelier/schemas";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import { startAssistantServer, type AssistantServer } from "@atelier/testing/assistant";
import { Spectral, type RulesetDefinition } from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createApp } from "../src/app.ts";
import { apiConfig } from "../src/config.ts";
import { openDependencies } from "../src/open-dependencies.ts";
import { createGate } from "../src/http/limits/gate.ts";
import { createV1 } from "../src/v1.ts";
import { eventually } from "./support/eventually.ts";
import { listRoutes } from "./support/routes.ts";

const generationsPerMinute = 40;

const image = { model: "fake-blind", prompt: "a lighthouse at dusk" };
/** No worker of this stack serves the lane of this model, so its jobs stay pending. */
const unfinishedImage = { ...image, model: "fake-resumable" };

const assistantKey = "sk-assistant-of-the-examples-0123456789";

let assistant: AssistantServer;
let stack: Stack;
let account: TestAccount;
let document: OpenApiDocument;
let checks: DocumentChecks;

beforeAll(async () => {
  assistant = await startAssistantServer({ apiKey: assistantKey });
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: {
      GENERATIONS_PER_MINUTE: String(generationsPerMinute),
      // A request without a valid key is sent to every operation.
      FAILED_AUTHENTICATIONS_PER_MINUTE: "200",
      WORKER_LANES: "builtin,fake-blind",
      ASSISTANT_URL: `${assistant.url}/v1`,
      ASSISTANT_MODEL: "writer",
      ASSISTANT_KEY: assistantKey,
      SHARES: "on",
      ABUSE_CONTACT: "abuse@example.com",
    },
  });
  account = await stack.createAccount();
  document = (await (await fetch(`${stack.url}/openapi.json`)).json()) as OpenApiDocument;
  checks = createDocumentChecks(document);
});

afterAll(async () => {
  await stack.stop();
  await assistant.close();
});

/** Sends a request, validates the response against the document and returns its body. */
async function ask(
  operation: string,
  options: {
    readonly path?: string;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
    readonly as?: TestAccount;
    readonly status: number;
  },
): Promise<Record<string, unknown>> {
  const [method = "", template = ""] = operation.split(" ");
  const { path = template, body, headers, as = account, status } = options;
  const response = await stack.request(as, method, path, body, headers);
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json") === true;
  const answer: unknown = isJson ? await response.json() : await response.text();
  const problems = checks.problemsOf(operation, response, answer);
  expect({ status: response.status, problems }).toEqual({ status, problems: [] });
  return answer as Record<string, unknown>;
}

/** Polls a job until it is final and validates each response against the document. */
async function untilFinal(jobId: string): Promise<Job> {
  const read = () => ask("GET /v1/jobs/{id}", { path: `/v1/jobs/${jobId}`, status: 200 });
  const isFinal = ({ status }: Record<string, unknown>) =>
    status !== "pending" && status !== "processing";
  return (await eventually(read, isFinal)) as unknown as Job;
}

describe("GET /openapi.json", () => {
  it("returns the document for this server without a key, with an ETag", async () => {
    const response = await fetch(`${stack.url}/openapi.json`);
    expect(response.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
    expect(await response.json()).toEqual(
      JSON.parse(JSON.stringify(createOpenApiDocument({ publicUrl: stack.url }))),
    );
    const again = await fetch(`${stack.url}/openapi.json`, {
      headers: { "If-None-Match": response.headers.get("ETag") ?? "" },
    });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  it("passes the OpenAPI linter without errors or warnings", { timeout: 120_000 }, async () => {
    const spectral = new Spectral();
    spectral.setRuleset({ extends: [oas as RulesetDefinition] });
    const problems = await spectral.run(document as unknown as Record<string, unknown>);
    const lines = problems.map(({ code, path, message }) => `${code} ${path.join(".")} ${message}`);
    expect(lines).toEqual([]);
  });

  it("lists exactly the routes of the API", async () => {
    const secret = "a secret that is only for this test, and long enough";
    const dependencies = await openDependencies(
      parseConfig(apiConfig, {
        DATABASE_URL: stack.queueUrl,
        STORAGE_URL: "file:/nowhere",
        PUBLIC_URL: stack.url,
        URL_SIGNING_SECRET: secret,
        KEY_PEPPER: secret,
        LOG_LEVEL: "fatal",
      }),
    );
    try {
      const routes = listRoutes(createApp(dependencies, createGate()));
      // Pages for people, and the session of Studio, are not part of the document.
      const pages =
        /^(GET \/verify|GET \/label.js|GET \/packages\/.*|\w+ (\/|\/(docs|studio)(\/.*)?))$/;
      const operations = routes.filter((route) => !pages.test(route));
      expect(operations.toSorted()).toEqual(checks.operations.toSorted());
    } finally {
      await dependencies.close();
    }
  });
});

describe("the scopes of a route", () => {
  it("are those of the document", async () => {
    const dependencies = await openDependencies(parseConfig(apiConfig, stack.environment));
    try {
      const { scopes } = createV1(dependencies, () => document);
      const documented = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
        Object.entries(item as Record<string, DocumentedOperation>)
          .filter(() => path.startsWith("/v1/"))
          .map(([method, operation]) => [
            `${method.toUpperCase()} ${path}`,
            operation["x-required-scope"] ?? [],
          ]),
      );
      const routes = Array.from(scopes, ([route, required]) => [
        route.replace(" ", " /v1").replaceAll(/:(\w+)/g, "{$1}"),
        required,
      ]);
      expect(Object.fromEntries(routes)).toEqual(Object.fromEntries(documented));
    } finally {
      await dependencies.close();
    }
  });
});

describe("the query parameters of a route", () => {
  it("are those of the document", async () => {
    const dependencies = await openDependencies(parseConfig(apiConfig, stack.environment));
    try {
      const { queries } = createV1(dependencies, () => document);
      expect(queries.size).toBeGreaterThan(40);
      for (const [route, names] of queries) {
        const [method = "", path = ""] = route.replaceAll(/:(\w+)/g, "{$1}").split(" ");
        const item = document.paths?.[`/v1${path}`] as Record<string, DocumentedOperation>;
        const { parameters = [] } = item[method.toLowerCase()] ?? {};
        const documented = parameters.flatMap(({ in: place, name = "" }) =>
          place === "query" ? [name] : [],
        );
        // Sent as any number of `metadata.<name>`, which the description explains.
        const stated = names.filter((name) => name !== "metadata");
        expect([route, documented.toSorted()]).toEqual([route, stated.toSorted()]);
      }
    } finally {
      await dependencies.close();
    }
  });

  it("do not depend on the order of routes: others are refused on every route", async () => {
    for (const path of ["/v1/jobs/1", "/v1/account", "/v1/keys", "/v1/webhooks", "/v1/models"]) {
      const response = await stack.request(account, "GET", `${path}?page=2`);
      const { details } = (await response.json()) as { readonly details: readonly object[] };
      expect([path, response.status, details[0]]).toMatchObject([path, 400, { path: "page" }]);
    }
  });
});

/** The inspected properties of an operation of the document. */
interface DocumentedOperation {
  readonly "x-required-scope"?: readonly string[];
  readonly parameters?: readonly { readonly in?: string; readonly name?: string }[];
}

/** An example request with existing ids instead of the sample ones. */
function withIds(example: unknown, ids: Readonly<Record<string, unknown>>): unknown {
  if (typeof example !== "object" || example === null) return example;
  return JSON.parse(JSON.stringify(example), (name, value: unknown) => ids[name] ?? value);
}

/** Uploads an image of the service and returns its id. */
async function uploadImage(url: unknown): Promise<string> {
  const file = await fetch(String(url));
  const response = await fetch(`${stack.url}/v1/uploads`, {
    method: "POST",
    headers: { Authorization: `Bearer ${account.key}`, "Content-Type": "image/png" },
    body: await file.arrayBuffer(),
  });
  const { id } = (await response.json()) as { id: string };
  return id;
}

describe("API responses", () => {
  it("match the document for every example request", { timeout: 300_000 }, async () => {
    const jobs: string[] = [];
    const key = await ask("POST /v1/keys", { body: { name: "to be changed" }, status: 201 });
    const webhook = await ask("POST /v1/webhooks", {
      body: { url: "https://example.com/hook", events: ["job.completed"] },
      status: 201,
    });
    const collection = await ask("POST /v1/collections", { body: { name: "Boats" }, status: 201 });
    const budget = await ask("POST /v1/budgets", {
      body: { name: "Boats", eur: "5" },
      status: 201,
    });
    const inviteMember = (name: string, email: string) =>
      ask("POST /v1/members", { body: { name, email, role: "maker" }, status: 201 });
    const member = await inviteMember("Nils Berg", "nils@example.com");
    const otherMember = await inviteMember("Ida Falk", "ida@example.com");
    const harbour = await ask("POST /v1/generate/image", {
      body: { model: "builtin-illustrator", prompt: "a harbour with boats" },
      status: 200,
    });
    const icon = await ask("POST /v1/generate/graphic", {
      body: {
        model: "builtin-graphic",
        kind: "icon",
        prompt: "a sailing boat",
        background: "#f4efe6",
      },
      status: 200,
    });
    const story = await ask("POST /v1/generate/story", {
      body: {
        model: "builtin-illustrator",
        characters: [{ name: "Mira", description: "a woman with long red hair" }],
        locations: [{ name: "harbour", description: "a small harbour" }],
        scenes: [{ prompt: "Mira waits" }, { prompt: "Mira goes home" }],
      },
      status: 202,
    });
    await untilFinal(String(story["job_id"]));
    const mira = await ask("POST /v1/characters", {
      body: { story_job_id: String(story["job_id"]), name: "Mira" },
      status: 201,
    });
    const pier = await ask("POST /v1/locations", {
      body: { story_job_id: String(story["job_id"]), name: "harbour" },
      status: 201,
    });
    const uploadId = await uploadImage(harbour["image_url"]);
    const ids = {
      job_id: String(harbour["id"]),
      story_job_id: String(story["job_id"]),
      character_id: String(mira["id"]),
      file_id: uploadId,
      // As a mask, its bright areas mark what to change.
      upload_id: uploadId,
      // Jobs to add to the collection, and to download.
      add: [String(harbour["id"])],
      job_ids: [String(harbour["id"])],
      // Receives the keys of the other member.
      to: String(otherMember["id"]),
    };
    const wrong: object[] = [];
    for (const { name, operation, status, value } of checks.examples) {
      if (status !== null) continue;
      const [method = "", template = ""] = operation.split(" ");
      const path = template
        .replace("{slug}", "image-generation")
        .replace("/webhooks/{id}", `/webhooks/${String(webhook["id"])}`)
        .replace("/members/{id}", `/members/${String(member["id"])}`)
        .replace("/budgets/{id}", `/budgets/${String(budget["id"])}`)
        .replace("/collections/{id}", `/collections/${String(collection["id"])}`)
        .replace("/characters/{id}", `/characters/${String(mira["id"])}`)
        .replace("/locations/{id}", `/locations/${String(pier["id"])}`)
        .replace("/jobs/{id}", `/jobs/${String(harbour["id"])}`)
        .replace("{id}", String(key["id"]));
      const headers = { Accept: "application/json, text/event-stream" };
      const ownIds: Readonly<Record<string, object>> = {
        // Only a flat background can be removed.
        "POST /v1/generate/remove-background": { job_id: String(icon["id"]) },
        // One example shares the second image.
        "POST /v1/shares": { job_id: String(story["job_id"]) },
      };
      const body = withIds(value, { ...ids, ...ownIds[operation] });
      const response = await stack.request(account, method, path, body, headers);
      const isJson = response.headers.get("Content-Type")?.startsWith("application/json") === true;
      const answer: unknown = isJson ? await response.json() : await response.text();
      const problems = checks.problemsOf(operation, response, answer);
      if (!response.ok || problems.length > 0) wrong.push({ name, problems, answer });
      const jobId = response.headers.get("X-Service-Job-Id");
      if (jobId !== null) jobs.push(jobId);
    }
    expect(wrong).toEqual([]);
    expect(jobs).toHaveLength(24);
    for (const jobId of jobs)
      expect(await untilFinal(jobId)).toMatchObject({ status: "completed" });
    const page = await ask("GET /v1/jobs", { path: "/v1/jobs?limit=2", status: 200 });
    expect(page["jobs"]).toHaveLength(2);
  });

  it("match the document for requests without a body", async () => {
    const open = ["/healthz", "/readyz", "/openapi.json"];
    const lists = ["/v1/models", "/v1/files", "/v1/jobs", "/v1/usage", "/v1/transactions"];
    for (const path of ["/v1/account", ...lists, ...open]) {
      expect(await ask(`GET ${path}`, { status: 200 })).toBeTypeOf("object");
    }
  });

  it("match the document for a pending, a cancelled and a listed job", async () => {
    const other = await stack.createAccount();
    const accepted = await ask("POST /v1/generate/image", {
      body: unfinishedImage,
      headers: { Prefer: "respond-async" },
      as: other,
      status: 202,
    });
    const path = `/v1/jobs/${String(accepted["job_id"])}`;
    const otherRequest = { path, as: other };
    expect(await ask("GET /v1/jobs/{id}", { ...otherRequest, status: 200 })).toMatchObject({
      status: "pending",
    });
    expect(await ask("DELETE /v1/jobs/{id}", { ...otherRequest, status: 200 })).toMatchObject({
      status: "cancelled",
    });
    await ask("DELETE /v1/jobs/{id}", { ...otherRequest, status: 409 });
    expect(await ask("GET /v1/jobs", { as: other, status: 200 })).toMatchObject({
      jobs: [{ status: "cancelled" }],
    });
  });

  it("match the document for a repeated request", async () => {
    const headers = { "Idempotency-Key": "repeated" };
    const first = await ask("POST /v1/generate/image", { body: image, headers, status: 200 });
    const second = await ask("POST /v1/generate/image", { body: image, headers, status: 200 });
    expect(second["id"]).toBe(first["id"]);
    const body = { ...image, prompt: "another" };
    await ask("POST /v1/generate/image", { body, headers, status: 422 });
  });

  it("match the document for refused requests", { timeout: 120_000 }, async () => {
    const unknownCaller = { accountId: "", keyId: "", key: "atl_live_unknown" };
    for (const operation of checks.operations.filter((name) => name.includes("/v1/"))) {
      await ask(operation, {
        body: operation.startsWith("POST") ? {} : undefined,
        as: unknownCaller,
        status: 401,
      });
    }
    const poor = await stack.createAccount("0");
    const suspended = await stack.createAccount();
    await setSuspended(stack.database, suspended.accountId, true);
    const generate = "POST /v1/generate/image";
    await ask(generate, { body: image, as: poor, status: 402 });
    await ask(generate, { body: image, as: suspended, status: 403 });
    await ask(generate, { body: "{", status: 400 });
    await ask(generate, { body: { ...image, promt: "" }, status: 400 });
    await ask(generate, { body: "x", headers: { "Content-Type": "text/plain" }, status: 400 });
    await ask(generate, { body: { ...image, model: "no-such-model" }, status: 404 });
    await ask(generate, { body: { ...image, aspect_ratio: "5:1" }, status: 422 });
    await ask(generate, { body: { ...image, prompt: "a severed head on a table" }, status: 422 });
    const illegal = { ...image, prompt: "fake passport", strictness: "liberal" };
    await ask(generate, { body: illegal, status: 451 });
    stack.provider.behave(() => ({ kind: "refuse", categories: ["violence"] }));
    await ask(generate, { body: image, status: 502 });
    stack.provider.behave(() => ({ kind: "fail", status: 402 }));
    await ask(generate, { body: image, status: 503 });
    stack.provider.behave(() => ({ kind: "image" }));
    const story = { model: "builtin-pattern", characters: [], scenes: [] };
    await ask("POST /v1/generate/story", { body: story, status: 400 });
    await ask("GET /v1/jobs", { path: "/v1/jobs?limit=0", status: 400 });
    await ask("GET /v1/jobs/{id}", { path: "/v1/jobs/none", status: 404 });
    const unknownFile = { path: "/v1/files/none", body: {} };
    await ask("POST /v1/files/{slug}", { ...unknownFile, status: 404 });
    const failed = await ask("GET /v1/jobs", { path: "/v1/jobs?status=failed", status: 200 });
    expect(failed["jobs"]).toHaveLength(2);
  });

  it("match the document for a rate-limited key", async () => {
    const eager = await stack.createAccount();
    const statuses: number[] = [];
    while (statuses.at(-1) !== 429) {
      const response = await stack.request(eager, "POST", "/v1/generate/scene", {});
      const answer: unknown = await response.json();
      expect(checks.problemsOf("POST /v1/generate/scene", response, answer)).toEqual([]);
      statuses.push(response.status);
    }
    expect(statuses.length).toBeGreaterThan(generationsPerMinute);
  });
});
