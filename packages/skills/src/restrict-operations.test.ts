import { describe, expect, it } from "vitest";
import { restrictOperations } from "./restrict-operations.ts";

const reference = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

const document = {
  openapi: "3.1.0",
  info: { title: "All" },
  security: [{ bearer: [] }],
  tags: [{ name: "Jobs" }, { name: "Files" }],
  paths: {
    "/jobs/{id}": {
      parameters: [reference("parameters", "JobId")],
      get: { tags: ["Jobs"], responses: { 200: { content: reference("schemas", "Job") } } },
      delete: { tags: ["Jobs"], responses: { 409: reference("responses", "Conflict") } },
    },
    "/files": { get: { tags: ["Files"], responses: { 200: reference("schemas", "FileList") } } },
  },
  components: {
    parameters: { JobId: { in: "path" } },
    responses: { Conflict: { content: reference("schemas", "Error") } },
    schemas: {
      Job: { properties: { scenes: { items: reference("schemas", "Scene") } } },
      // A circular reference.
      Scene: { properties: { next: reference("schemas", "Scene") } },
      Error: {},
      FileList: {},
    },
    securitySchemes: { bearer: { type: "http" } },
  },
};

describe("an OpenAPI document restricted to some operations", () => {
  it("contains only these operations and the components that they use", () => {
    const { components } = document;
    expect(restrictOperations(document, ["GET /jobs/{id}"])).toEqual({
      openapi: "3.1.0",
      info: { title: "All" },
      security: [{ bearer: [] }],
      tags: [{ name: "Jobs" }],
      paths: {
        "/jobs/{id}": {
          parameters: document.paths["/jobs/{id}"].parameters,
          get: document.paths["/jobs/{id}"].get,
        },
      },
      components: {
        parameters: components.parameters,
        schemas: { Job: components.schemas.Job, Scene: components.schemas.Scene },
        securitySchemes: components.securitySchemes,
      },
    });
  });

  it("keeps the operations of one path together", () => {
    const { paths } = restrictOperations(document, ["DELETE /jobs/{id}", "GET /jobs/{id}"]);
    expect(paths).toEqual({ "/jobs/{id}": document.paths["/jobs/{id}"] });
  });

  it("is rejected with an unknown operation", () => {
    expect(() => restrictOperations(document, ["POST /files"])).toThrow("no POST /files");
    expect(() => restrictOperations(document, ["GET /nothing"])).toThrow("no GET /nothing");
  });
});
