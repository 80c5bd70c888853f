import { parseConfig } from "@atelier/configuration";
import { createOpenApiDocument } from "@atelier/openapi";
import { AppError } from "@atelier/schemas";
import {
  createTiny,
  deleteTiny,
  listTinies,
  tinyEndpoints,
} from "@atelier/schemas/endpoints/testing";
import { shareStack, type Stack, type TestAccount } from "@atelier/testing";
import express from "express";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiConfig } from "../src/config.ts";
import { openDependencies } from "../src/open-dependencies.ts";
import { createBodyMemory } from "../src/http/limits/shares.ts";
import { handleErrors } from "../src/http/error-handler.ts";
import { assignRequestId } from "../src/http/request-id.ts";
import { createRoutes } from "../src/http/routes.ts";

let stack: Stack;
let account: TestAccount;
let dependencies: Awaited<ReturnType<typeof openDependencies>>;
let server: Server;
const names = new Map<string, string>();

const noTiny = () => new AppError("preset_not_found", "There is no tiny resource with this id.");

beforeAll(async () => {
  stack = await shareStack();
  account = await stack.createAccount();
  dependencies = await openDependencies(parseConfig(apiConfig, stack.environment));
  const routes = createRoutes(dependencies);
  routes.add(createTiny, async ({ body: { name } }) => {
    const found = [...names].find(([, other]) => other === name);
    const id = found?.[0] ?? crypto.randomUUID();
    names.set(id, name);
    return [found === undefined ? 201 : 200, { id, name }] as const;
  });
  routes.add(listTinies, async ({ query: { limit } }) => ({
    tinies: [...names].slice(0, limit).map(([id, name]) => ({ id, name })),
    next_cursor: null,
  }));
  const options = { notFound: noTiny };
  routes.add(
    deleteTiny,
    async ({ params: { id } }) => {
      if (!names.delete(id)) throw noTiny();
    },
    options,
  );
  const app = express();
  app.set("query parser", "simple");
  app.locals["bodyBudget"] = createBodyMemory();
  app.use(assignRequestId);
  app.use("/v1", routes.router);
  app.use(handleErrors(dependencies.logger));
  server = app.listen(0);
});

afterAll(async () => {
  server.close();
  await dependencies.close();
  await stack.stop();
});

async function ask(method: string, path: string, body?: object, key = account.key) {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://localhost:${port}/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}

describe("an endpoint with a record and a handler", () => {
  it("is served with the status and the body that the handler returns", async () => {
    const { body: created, ...first } = await ask("POST", "/tinies", { name: "One" });
    expect([first.status, created]).toEqual([201, { id: expect.any(String), name: "One" }]);
    expect(await ask("POST", "/tinies", { name: "One" })).toEqual({ status: 200, body: created });
    expect(await ask("GET", "/tinies?limit=5")).toEqual({
      status: 200,
      body: { tinies: [created], next_cursor: null },
    });
    expect(await ask("DELETE", `/tinies/${created.id}`)).toEqual({ status: 204, body: null });
  });

  it.each([
    ["a body that its schema refuses", "POST", "/tinies", { name: "Far too long" }, 400, "name"],
    ["an unknown property", "POST", "/tinies", { name: "One", n: 1 }, 400, "n"],
    ["a query parameter where it takes none", "POST", "/tinies?page=2", { name: "A" }, 400, "page"],
    ["a query that its schema refuses", "GET", "/tinies?limit=0", undefined, 400, "limit"],
    ["an unknown query parameter", "GET", "/tinies?page=2", undefined, 400, "page"],
    ["a body where it takes none", "DELETE", "/tinies/1", { a: 1 }, 400, ""],
  ])("refuses %s", async (_name, method, path, body, status, field) => {
    const refused = await ask(method, path, body);
    expect([refused.status, refused.body.details[0].path]).toEqual([status, field]);
  });

  it("answers a malformed id like an unknown one", async () => {
    for (const id of ["1", crypto.randomUUID()]) {
      const { status, body } = await ask("DELETE", `/tinies/${id}`);
      expect([status, body.error]).toEqual([404, "preset_not_found"]);
    }
  });

  it("refuses a missing key, and one without a scope of the record", async () => {
    expect((await ask("GET", "/tinies", undefined, "none")).status).toBe(401);
    const response = await stack.request(account, "POST", "/v1/keys", {
      name: "generates",
      scopes: ["generate"],
    });
    const { key } = (await response.json()) as { readonly key: string };
    const refused = await ask("GET", "/tinies", undefined, key);
    expect([refused.status, refused.body.error]).toEqual([403, "key_not_permitted"]);
  });

  it("is described with its scopes, parameters, body, results and errors", () => {
    const { paths, components } = createOpenApiDocument({
      publicUrl: stack.url,
      endpoints: tinyEndpoints,
    });
    const { post, get } = paths?.["/v1/tinies"] ?? {};
    expect(post).toMatchObject({
      operationId: "createTiny",
      "x-required-scope": ["read", "generate"],
      requestBody: { required: true },
    });
    expect(Object.keys(post?.responses ?? {})).toEqual(
      expect.arrayContaining(["200", "201", "400", "401", "403", "409", "429"]),
    );
    expect(get?.parameters).toMatchObject([
      { in: "query", name: "limit" },
      { in: "query", name: "cursor" },
      { $ref: "#/components/parameters/RequestId" },
    ]);
    expect(paths?.["/v1/tinies/{id}"]?.delete).toMatchObject({
      parameters: [{ in: "path", name: "id" }, {}],
      responses: { "204": { description: "It is deleted." }, "404": {} },
    });
    expect(Object.keys(components?.schemas ?? {})).toEqual(
      expect.arrayContaining(["NewTiny", "Tiny", "TinyList"]),
    );
  });
});
