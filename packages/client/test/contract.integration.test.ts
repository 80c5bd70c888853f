import { readFile } from "node:fs/promises";
import { createOpenApiDocument } from "@atelier/openapi";
import { tinyEndpoints } from "@atelier/schemas/endpoints/testing";
import { expect, it } from "vitest";
import { endpoints } from "@atelier/schemas/endpoints";
import { renderContract, renderEndpoints } from "../scripts/render-contract.ts";
import { renderReference } from "../scripts/render-reference.ts";

it.each([
  ["contract.ts", renderContract],
  ["generated/endpoints.ts", renderEndpoints],
])("%s matches the current OpenAPI document", async (name, render) => {
  const committed = await readFile(new URL(`../src/${name}`, import.meta.url), "utf8");
  const document = createOpenApiDocument({ publicUrl: "https://atelier.example" });
  // To update: npm run contract -w @atelier/client
  expect(await render(document)).toBe(committed);
});

it("docs/api.md has the table of the current endpoints", async () => {
  const page = await readFile(new URL("../../../docs/api.md", import.meta.url), "utf8");
  expect(await renderReference(page, endpoints)).toBe(page);
});

it("has the types and the calls of an endpoint that only has a record", async () => {
  const document = createOpenApiDocument({
    publicUrl: "https://atelier.example",
    endpoints: tinyEndpoints,
  });
  expect(await renderContract(document)).toContain("readonly NewTiny: {");
  const calls = (await renderEndpoints(document)).replaceAll(/\s+/g, " ");
  expect(calls).toContain(
    '"POST /v1/tinies": { readonly body: Schemas["NewTiny"]; readonly result: Schemas["Tiny"] };',
  );
  expect(calls).toContain(
    '"GET /v1/tinies": { readonly query: { readonly limit?: number | undefined; readonly cursor?: string | undefined }; readonly result: Schemas["TinyList"]; };',
  );
  expect(calls).toContain('"DELETE /v1/tinies/{id}": { readonly result: void };');
});
