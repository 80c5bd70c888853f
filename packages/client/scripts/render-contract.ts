import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";

const header = `// Made from the service's OpenAPI document by \`npm run contract -w @atelier/client\`. Don't edit.\n\n`;

/** The types of a service's requests and answers, as the TypeScript that \`src/contract.ts\` holds. */
export async function renderContract(document: object): Promise<string> {
  const nodes = await openapiTS(JSON.stringify(document), {
    immutable: true,
    silent: true,
  });
  // Requests are made by hand, so nothing but the schemas is used.
  const schemas = nodes.filter(
    (node) => "name" in node && (node.name as { readonly text?: string }).text === "components",
  );
  return format(header + astToString(schemas));
}

function format(source: string): Promise<string> {
  const oxfmt = createRequire(import.meta.url).resolve("oxfmt/package.json");
  return new Promise((resolve, reject) => {
    const args = [join(dirname(oxfmt), "bin/oxfmt"), "--stdin-filepath=contract.ts"];
    const formatter = execFile(process.execPath, args, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
    formatter.stdin?.end(source);
  });
}
