import { readFile } from "node:fs/promises";
import { createOpenApiDocument } from "@atelier/openapi";
import { expect, it } from "vitest";
import { renderContract } from "../scripts/render-contract.ts";

it("has the types of the OpenAPI document as it is now", async () => {
  const committed = await readFile(new URL("../src/contract.ts", import.meta.url), "utf8");
  const document = createOpenApiDocument({ publicUrl: "https://atelier.example" });
  // When it differs: npm run contract -w @atelier/client
  expect(await renderContract(document)).toBe(committed);
});
