import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createOpenApiDocument } from "@atelier/openapi";
import { endpoints } from "@atelier/schemas/endpoints";
import { renderContract, renderEndpoints } from "./render-contract.ts";
import { renderReference } from "./render-reference.ts";

const source = new URL("../src/", import.meta.url);
const document = createOpenApiDocument({ publicUrl: "https://atelier.example" });
await writeFile(new URL("contract.ts", source), await renderContract(document));
await mkdir(new URL("generated/", source), { recursive: true });
await writeFile(new URL("generated/endpoints.ts", source), await renderEndpoints(document));

const page = new URL("../../../docs/api.md", import.meta.url);
await writeFile(page, await renderReference(await readFile(page, "utf8"), endpoints));
