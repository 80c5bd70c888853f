import { AppError } from "@atelier/schemas";
import express, { type Router } from "express";
import { fileURLToPath } from "node:url";
import packageJson from "../../package.json" with { type: "json" };
import { sendFile } from "../http/answer/send-file.ts";

const { version } = packageJson;

/** Packages that `npm run build:packages` packs, by their names under `/packages`. */
const files: Readonly<Record<string, string>> = {
  "atelier-client.tgz": `../../../../packages/client/dist/atelier-client-${version}.tgz`,
  "atelier-cli.tgz": `../../../cli/dist/atelier-cli-${version}.tgz`,
};

/** `/packages`: the TypeScript client and the command line, of the version of this service. */
export function servePackages(): Router {
  const router = express.Router();
  for (const [name, path] of Object.entries(files)) {
    const file = fileURLToPath(new URL(path, import.meta.url));
    router.get(`/${name}`, async (_request, response) => {
      response.set({ "Content-Type": "application/gzip", "Cache-Control": "no-cache" });
      await sendFile(response, file).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error;
        throw new AppError(
          "overloaded",
          "This package is not built. Run npm run build:packages on the server.",
        );
      });
    });
  }
  return router;
}
