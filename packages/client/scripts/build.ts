import { fileURLToPath } from "node:url";
import { buildPackage } from "./build-package.ts";

const directory = fileURLToPath(new URL("../dist", import.meta.url));
await buildPackage(directory);
process.stdout.write(`Built. Publish it with: npm publish ${directory}\n`);
