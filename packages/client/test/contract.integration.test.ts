import { readFile } from "node:fs/promises";
import { createOpenApiDocument } from "@atelier/openapi";
import { expect, it } from "vitest";
import { renderContract } from "../scripts/render-contract.ts";

it("matches the current OpenAPI document", async () => {
  const committed = await readFile(new URL("../src/contract.ts", import.meta.url), "utf8");
  const document = createOpenApiDocument({ publicUrl: "https://atelier.example" });
  // To update: npm run contract -w @atelier/client
  expect(await renderContract(document)).toBe(committed);
});
