import { mkdir, writeFile } from "node:fs/promises";
import { createOpenApiDocument } from "@atelier/openapi";
import { renderContract, renderEndpoints } from "./render-contract.ts";

const source = new URL("../src/", import.meta.url);
const document = createOpenApiDocument({ publicUrl: "https://atelier.example" });
await writeFile(new URL("contract.ts", source), await renderContract(document));
await mkdir(new URL("generated/", source), { recursive: true });
await writeFile(new URL("generated/endpoints.ts", source), await renderEndpoints(document));
