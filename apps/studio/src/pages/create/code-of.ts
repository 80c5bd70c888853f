import type { FormOperation } from "./changes.ts";
import type { DraftRequest } from "./draft.ts";

/** The methods of the client. */
export const methods: Readonly<Record<FormOperation, string>> = {
  image: "generateImage",
  edit: "generateEdit",
  upscale: "generateUpscaled",
  "remove-background": "generateCutOut",
  outpaint: "generateOutpainted",
  erase: "generateErased",
  vectorize: "generateVectorized",
  variations: "generateVariations",
};

/** A request as a shell sends it. Single quotes of the body are escaped for the shell. */
export function curlOf({ operation, body }: DraftRequest, url: string): string {
  const json = JSON.stringify(body, null, 2).replaceAll("'", `'\\''`);
  return [
    `curl ${url}/v1/generate/${operation} \\`,
    '  -H "Authorization: Bearer $ATELIER_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '${json}'`,
  ].join("\n");
}

/** A request as a program with the client sends it, and how to install the client. */
export function typescriptOf({ operation, body }: DraftRequest, url: string): string {
  return `// npm install ${url}/packages/atelier-client.tgz
import { createAtelier } from "@atelier/client";

const atelier = createAtelier({
  baseUrl: ${JSON.stringify(url)},
  apiKey: process.env.ATELIER_API_KEY ?? "",
});
const result = await atelier.${methods[operation]}(${JSON.stringify(body, null, 2)});
console.log(result.image_url);`;
}
