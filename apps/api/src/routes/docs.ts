import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import express, { type NextFunction, type Request, type Response, type Router } from "express";
import helmet from "helmet";

const ownFolder = fileURLToPath(new URL("../openapi", import.meta.url));
const require = createRequire(import.meta.url);
const swaggerFolder = dirname(require.resolve("swagger-ui-dist/package.json"));

/** What the page is made of, by its name under `/docs`. */
const assets: Readonly<Record<string, string>> = {
  "icon.svg": ownFolder,
  "page.css": ownFolder,
  "page.js": ownFolder,
  "swagger-ui.css": swaggerFolder,
  "swagger-ui-bundle.js": swaggerFolder,
};

/** Everything comes from here, and nothing is sent elsewhere: a key that is typed in stays. */
const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    // Swagger UI writes style attributes.
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", "data:"],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
};

/** `GET /docs`: the reference page, which works without any other server. */
export function serveDocs(): Router {
  const router = express.Router({ strict: true });
  router.use(helmet({ contentSecurityPolicy }));
  router.get("/", (request: Request, response: Response, next: NextFunction) => {
    // The page names its parts relative to itself, so that it works behind any prefix.
    if (request.originalUrl.split("?")[0]?.endsWith("/") === true) {
      return response.redirect(308, "../docs");
    }
    sendFile(response, join(ownFolder, "page.html"), next);
  });
  for (const [name, folder] of Object.entries(assets)) {
    router.get(`/${name}`, (_request: Request, response: Response, next: NextFunction) =>
      sendFile(response, join(folder, name), next),
    );
  }
  return router;
}

function sendFile(response: Response, path: string, next: NextFunction): void {
  response.set("Cache-Control", "no-cache");
  response.sendFile(path, { cacheControl: false }, (error?: Error) => {
    if (error !== undefined && !response.destroyed) next(error);
  });
}
