import { existsSync } from "node:fs";

/**
 * @param client the file that `npm run generate` writes.
 * @throws Error saying how to generate it.
 */
export function assertClientGenerated(
  client: URL = new URL("./generated/client.ts", import.meta.url),
): void {
  if (existsSync(client)) return;
  throw new Error(
    'The Prisma client was not generated. Run "npm run generate", which "npm install" does too unless scripts are off, and start again.',
  );
}
