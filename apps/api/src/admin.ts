import { createTokenCheck } from "@atelier/configuration";
import { createBullBoard } from "@bull-board/api";
import { BullMQAdapter } from "@bull-board/api/bullMQAdapter";
import { ExpressAdapter } from "@bull-board/express";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import helmet from "helmet";
import type { ApiDependencies } from "./dependencies.ts";
import { createTotalsReader } from "./service-totals.ts";

/**
 * For operators: Bull Board at `/queues`, behind the admin key, and `/metrics` for Prometheus, which a
 * token of its own opens as well. Never listens by itself.
 */
export function createAdminApp(dependencies: ApiDependencies, adminKey: string): Express {
  const { config, queues } = dependencies;
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath("/queues");
  createBullBoard({
    queues: queues.bullQueues.map((queue) => new BullMQAdapter(queue)),
    serverAdapter,
  });
  const app = express();
  app.disable("x-powered-by");
  // Bull Board brings scripts of its own into its page.
  app.use(helmet({ contentSecurityPolicy: false }), refuseForeignPages);
  const opensMetrics = requireOneOf([adminKey, config.METRICS_TOKEN]);
  app.get("/metrics", opensMetrics, serveMetrics(dependencies));
  app.use(requireOneOf([adminKey]));
  app.get("/", (_request, response) => response.redirect("/queues"));
  app.use("/queues", serverAdapter.getRouter());
  return app;
}

/** Prometheus' text format: what this process counted, and what the database says of the whole. */
function serveMetrics(dependencies: ApiDependencies) {
  const readTotals = createTotalsReader(dependencies);
  return async (_request: Request, response: Response): Promise<void> => {
    const { contentType, text } = await dependencies.metrics.scrape(await readTotals());
    response.set({ "Content-Type": contentType, "Cache-Control": "no-store" }).end(text);
  };
}

/**
 * Browsers send a remembered password along with whatever another page makes them ask for; they say
 * so in `Sec-Fetch-Site` (W3C Fetch Metadata).
 */
function refuseForeignPages(request: Request, response: Response, next: NextFunction): void {
  const site = request.get("Sec-Fetch-Site") ?? "none";
  const isReading = request.method === "GET" || request.method === "HEAD";
  if (isReading || site === "same-origin" || site === "none") return next();
  response.status(403).type("text").send("This can only be asked for from Bull Board itself.\n");
}

/**
 * A bearer token, or HTTP Basic, so that a browser can ask for it: any user name, the admin key as
 * password.
 */
function requireOneOf(keys: readonly (string | undefined)[]) {
  const isOneOf = createTokenCheck(keys);
  return (request: Request, response: Response, next: NextFunction): void => {
    // What comes after the scheme is one whole: an admin key may have spaces.
    const [, scheme = "", credentials = ""] =
      /^(\S+) +(.*)$/.exec(request.get("Authorization") ?? "") ?? [];
    const decoded = Buffer.from(credentials, "base64").toString();
    const given = /^basic$/i.test(scheme) ? decoded.slice(decoded.indexOf(":") + 1) : credentials;
    if (isOneOf(given)) return next();
    response
      .status(401)
      .set("WWW-Authenticate", 'Basic realm="atelier admin", charset="UTF-8"')
      .type("text")
      .send("Sign in with any user name and the admin key as password.\n");
  };
}
