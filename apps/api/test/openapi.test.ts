import { readFile } from "node:fs/promises";
import { createAdminDocument, createOpenApiDocument } from "@atelier/openapi";
import { describe, expect, it } from "vitest";
import { createDocumentChecks } from "@atelier/openapi/testing";

const document = createOpenApiDocument({ publicUrl: "https://images.example.org" });
const checks = createDocumentChecks(document);

describe("the OpenAPI document", () => {
  it("has only examples that match its schemas", () => {
    expect(checks.examples.length).toBeGreaterThan(150);
    expect(checks.examples.filter(({ problems }) => problems !== "")).toEqual([]);
  });

  it("has an example for every body except errors that are never sent", () => {
    expect(checks.withoutExample.filter((name) => !isReserved(name))).toEqual([]);
  });

  it("defines every status of the specification for the operations that it names", () => {
    const statuses = [400, 401, 402, 403, 404, 409, 422, 429, 451, 500, 502, 503].map(String);
    for (const [path, method] of [
      ["/v1/generate/image", "post"],
      ["/v1/generate/story", "post"],
      ["/v1/files", "get"],
    ] as const) {
      const responses = Object.keys(document.paths?.[path]?.[method]?.responses ?? {});
      expect(responses.filter((status) => Number(status) >= 400).toSorted()).toEqual(statuses);
    }
  });

  it("marks exactly the optional properties as nullable", () => {
    const { properties = {}, required = [] } = (document.components?.schemas?.["ImageRequest"] ??
      {}) as { properties?: Record<string, object>; required?: string[] };
    const names = Object.keys(properties);
    const nullable = names.filter((name) => JSON.stringify(properties[name]).includes('"null"'));
    expect([...nullable, ...required].toSorted()).toEqual(names.toSorted());
    expect(required).toEqual(["model", "prompt"]);
  });

  it("names the server's URL", () => {
    expect(document.servers).toEqual([
      { url: "https://images.example.org", description: "This server" },
    ]);
  });
});

describe("the document of the operators' console", () => {
  const admin = createDocumentChecks(createAdminDocument("https://console.example.org"));

  it("has an example for every body, and only examples that match its schemas", () => {
    expect(admin.operations.length).toBeGreaterThan(15);
    expect(admin.examples.filter(({ problems }) => problems !== "")).toEqual([]);
    expect(admin.withoutExample).toEqual([]);
  });

  it("shares no operation and no error with the document for account holders", () => {
    const own = new Set(checks.operations);
    expect(admin.operations.filter((operation) => own.has(operation))).toEqual([]);
    expect(Object.keys(document.components?.examples ?? {})).not.toContain("change_refused");
  });
});

it.each([
  ["the OpenAPI document", document],
  ["the document of the operators' console", createAdminDocument("https://console.example.org")],
])("%s describes exactly the tags of its operations", (_, { tags = [], paths = {} }) => {
  const operations = Object.values(paths).flatMap((path) => Object.values(path ?? {}));
  const used = operations.flatMap((operation) => (operation as { tags?: string[] }).tags ?? []);
  expect(tags.map(({ name }) => name).toSorted()).toEqual([...new Set(used)].toSorted());
});

describe("the table of docs/api.md", () => {
  it("names every path of the document, and no other", async () => {
    const page = await readFile(new URL("../../../docs/api.md", import.meta.url), "utf8");
    const rows = page.split("\n").filter((line) => line.startsWith("| `"));
    const cells = rows.map((row) => row.split("|")[1] ?? "").join();
    const named = Array.from(cells.matchAll(/\/v1\/[\w/{}-]+/g), ([path]) => path);
    const paths = Object.keys(document.paths ?? {}).filter((path) => path.startsWith("/v1/"));
    const covers = (row: string, path: string) => path === row || path.startsWith(`${row}/`);
    expect(named.filter((row) => !paths.some((path) => covers(row, path)))).toEqual([]);
    expect(paths.filter((path) => !named.some((row) => covers(row, path)))).toEqual([]);
  });
});

/** Whether this version never sends the response, so that it needs no example. */
function isReserved(name: string): boolean {
  const [method = "", path = "", status = ""] = name.split(" ");
  const item = document.paths?.[path] as Record<string, { responses: Record<string, object> }>;
  const answer = item[method.toLowerCase()]?.responses[status];
  return JSON.stringify(answer).includes("not returned by this version");
}
