import express, { type Request, type Response, type Router } from "express";
import helmet from "helmet";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { sendFile } from "../http/answer/send-file.ts";

const ownFolder = fileURLToPath(new URL("../openapi", import.meta.url));
const require = createRequire(import.meta.url);
const swaggerFolder = dirname(require.resolve("swagger-ui-dist/package.json"));

/** Files of the page, by their name under `/docs`. */
const assets: Readonly<Record<string, string>> = {
  "icon.svg": ownFolder,
  "page.css": ownFolder,
  "page.js": ownFolder,
  "swagger-ui.css": swaggerFolder,
  "swagger-ui-bundle.js": swaggerFolder,
};

/** Allows only this server, so that an entered key cannot be sent elsewhere. */
const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    // Swagger UI uses style attributes.
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", "data:"],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
};

/** `GET /docs`: the reference page, which needs no other server. */
export function serveDocs(): Router {
  const router = express.Router({ strict: true });
  router.use(helmet({ contentSecurityPolicy }));
  router.get("/", async (request: Request, response: Response): Promise<void> => {
    // The page uses relative URLs, so that it works behind any prefix.
    if (request.originalUrl.split("?")[0]?.endsWith("/") === true) {
      return response.redirect(308, "../docs");
    }
    await sendUncached(response, join(ownFolder, "page.html"));
  });
  for (const [name, folder] of Object.entries(assets)) {
    router.get(`/${name}`, (_request: Request, response: Response) =>
      sendUncached(response, join(folder, name)),
    );
  }
  return router;
}

function sendUncached(response: Response, path: string): Promise<void> {
  response.set("Cache-Control", "no-cache");
  return sendFile(response, path);
}
