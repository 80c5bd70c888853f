import { readFile } from "node:fs/promises";
import { createOpenApiDocument } from "@atelier/openapi";
import { expect, it } from "vitest";
import { renderContract, renderEndpoints } from "../scripts/render-contract.ts";

it.each([
  ["contract.ts", renderContract],
  ["generated/endpoints.ts", renderEndpoints],
])("%s matches the current OpenAPI document", async (name, render) => {
  const committed = await readFile(new URL(`../src/${name}`, import.meta.url), "utf8");
  const document = createOpenApiDocument({ publicUrl: "https://atelier.example" });
  // To update: npm run contract -w @atelier/client
  expect(await render(document)).toBe(committed);
});
