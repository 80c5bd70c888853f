import { writeFile } from "node:fs/promises";
import { createOpenApiDocument } from "@atelier/openapi";
import { renderContract } from "./render-contract.ts";

const file = new URL("../src/contract.ts", import.meta.url);
await writeFile(
  file,
  await renderContract(createOpenApiDocument({ publicUrl: "https://atelier.example" })),
);
