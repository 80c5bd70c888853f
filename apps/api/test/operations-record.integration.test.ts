import { parseConfig } from "@atelier/configuration";
import { jobAccepted, quote, type Operation } from "@atelier/schemas";
import { shareStack, type Stack, type TestAccount } from "@atelier/testing";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { createApp } from "../src/app.ts";
import { apiConfig } from "../src/config.ts";
import { openDependencies } from "../src/open-dependencies.ts";
import { operations, type ApiOperations } from "../src/generations/plan/operations.ts";
import { createGate } from "../src/http/limits/gate.ts";

const thumbnailRequest = z
  .strictObject({ model: z.string(), subject: z.string() })
  .meta({ id: "ThumbnailRequest" });

/** A tiny operation, whose jobs are those of images. */
const thumbnail = {
  request: thumbnailRequest,
  kind: "image",
  task: null,
  method: "generateThumbnail",
  summary: "Generate a thumbnail",
  description: "Makes a small image.",
  examples: { cat: ["A cat", { model: "fake-blind", subject: "a cat" }] },
  tool: { name: "make_thumbnail", title: "Make a thumbnail", description: "Makes a small image." },
  command: { name: "thumbnail", summary: "make a small image" },
  plan: (
    { model, subject }: z.infer<typeof thumbnailRequest>,
    ...others: [
      Parameters<typeof operations.image.plan>[1],
      Parameters<typeof operations.image.plan>[2],
    ]
  ) => operations.image.plan({ model, prompt: `a thumbnail of ${subject}` }, ...others),
};

const body = { model: "fake-blind", subject: "a cat" };

let stack: Stack;
let account: TestAccount;
let url: string;
let stop: () => Promise<void>;

beforeAll(async () => {
  stack = await shareStack();
  account = await stack.createAccount();
  const opened = await openDependencies(
    parseConfig(apiConfig, { ...stack.environment, LOG_LEVEL: "error" }),
  );
  // Names of operations are types, so the compiler cannot know one that is added at run time.
  const extended = { ...operations, ["thumbnail" as Operation]: thumbnail } as ApiOperations;
  const app = createApp({ ...opened, operations: extended }, createGate());
  const server = app.listen(0);
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stop = async () => {
    server.close();
    server.closeAllConnections();
    await opened.close();
    await stack.stop();
  };
});

afterAll(() => stop());

function post(path: string, sent: object): Promise<Response> {
  return fetch(url + path, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${account.key}`,
      "Content-Type": "application/json",
      Prefer: "respond-async",
    },
    body: JSON.stringify(sent),
  });
}

describe("an operation that is added to the record", () => {
  it("has a route that validates and accepts its requests", async () => {
    const accepted = await post("/v1/generate/thumbnail", body);
    expect(accepted.status).toBe(202);
    const { job_id } = jobAccepted.parse(await accepted.json());
    const job = await stack.request(account, "GET", `/v1/jobs/${job_id}`);
    expect(await job.json()).toMatchObject({ request: { prompt: "a thumbnail of a cat" } });
    expect((await post("/v1/generate/thumbnail", { model: "fake-blind" })).status).toBe(400);
  });

  it("is quoted", async () => {
    const response = await post("/v1/quotes", { operation: "thumbnail", request: body });
    expect(quote.parse(await response.json())).toMatchObject({ renders: 1, affordable: true });
  });

  it("is described in the OpenAPI document with its example", async () => {
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as object;
    expect(document).toMatchObject({
      paths: {
        "/v1/generate/thumbnail": {
          post: {
            operationId: "generateThumbnail",
            requestBody: {
              content: { "application/json": { examples: { cat: { value: body } } } },
            },
          },
        },
      },
      components: {
        schemas: {
          QuoteRequest: {
            properties: { operation: { enum: expect.arrayContaining(["thumbnail"]) as unknown } },
          },
        },
      },
    });
  });

  it("is an MCP tool that makes its images", async () => {
    const client = new Client({ name: "test", version: "1" });
    const requestInit = { headers: { Authorization: `Bearer ${account.key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit }));
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === "make_thumbnail")).toMatchObject({
      title: "Make a thumbnail",
      inputSchema: { required: ["model", "subject"] },
    });
    const { structuredContent } = await client.callTool({
      name: "make_thumbnail",
      arguments: body,
    });
    expect(structuredContent).toMatchObject({ status: "completed" });
    await client.close();
  });
});
