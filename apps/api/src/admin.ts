import { completeRange } from "@atelier/billing";
import { reportCosts } from "@atelier/generations/jobs";
import { createTokenCheck, lazily } from "@atelier/kit";
import { costsQuery } from "@atelier/schemas";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import helmet from "helmet";
import * as z from "zod";
import type { ConsoleDependencies } from "./console/console.ts";
import type { ApiDependencies, Needs } from "./dependencies.ts";
import { createCachedTotalsReader } from "./service-totals.ts";

/**
 * Creates the admin app: the operators' console at `/admin`, Bull Board at `/queues` and the report of costs at `/costs`,
 * which require the admin key, and `/metrics` for Prometheus, which also accepts the metrics token. Does not listen.
 */
export function createAdminApp(
  dependencies: ConsoleDependencies & Needs<"metrics">,
  adminKey: string,
): Express {
  const { config } = dependencies;
  const app = express();
  app.disable("x-powered-by");
  app.set("trust proxy", config.TRUSTED_PROXIES);
  app.use("/admin", showConsole(dependencies, adminKey));
  // Bull Board's page uses inline scripts.
  app.use(helmet({ contentSecurityPolicy: false }), refuseForeignPages);
  const opensMetrics = requireOneOf([adminKey, config.METRICS_TOKEN]);
  app.get("/metrics", opensMetrics, serveMetrics(dependencies));
  app.use(requireOneOf([adminKey]));
  app.get("/", (_request, response) => response.redirect("/queues"));
  app.get("/costs", serveCosts(dependencies));
  app.use("/queues", showQueues(dependencies));
  return app;
}

/** Serves the operators' console, which is loaded with the first request. */
function showConsole(dependencies: ConsoleDependencies, adminKey: string) {
  const load = lazily(async () => {
    const { serveConsole } = await import("./console/console.ts");
    return serveConsole(dependencies, adminKey);
  });
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const console = await load();
    console(request, response, next);
  };
}

/** Serves Bull Board, which is loaded with the first request, with the queues that are open. */
function showQueues({ queues }: Needs<"queues">) {
  let opening: ReturnType<typeof openBoard> | null = null;
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    opening ??= openBoard();
    const board = await opening;
    board.show(queues.bullQueues);
    board.router(request, response, next);
  };
}

async function openBoard() {
  const [{ createBullBoard }, { BullMQAdapter }, { ExpressAdapter }] = await Promise.all([
    import("@bull-board/api"),
    import("@bull-board/api/bullMQAdapter"),
    import("@bull-board/express"),
  ]);
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath("/queues");
  const board = createBullBoard({ queues: [], serverAdapter });
  let shown: ApiDependencies["queues"]["bullQueues"] = [];
  return {
    show(open: typeof shown): void {
      if (shown === open) return;
      shown = open;
      board.setQueues(shown.map((queue) => new BullMQAdapter(queue)));
    },
    router: serverAdapter.getRouter() as express.Router,
  };
}

/**
 * Serves the metrics of this process and the totals of the database in the Prometheus text format.
 */
function serveMetrics(dependencies: Needs<"database" | "lanes" | "logger" | "metrics">) {
  const readTotals = createCachedTotalsReader(dependencies);
  return async (_request: Request, response: Response): Promise<void> => {
    const { contentType, text } = await dependencies.metrics.scrape(await readTotals());
    response.set({ "Content-Type": contentType, "Cache-Control": "no-store" }).end(text);
  };
}

/** The most days of one report of costs: the pool that reads it also serves requests. */
const maxCostDays = 92;

/** Serves what `atelier costs --json` prints. */
function serveCosts({ database }: Needs<"database">) {
  return async (request: Request, response: Response): Promise<void> => {
    const query = costsQuery.safeParse(request.query);
    if (!query.success) {
      response
        .status(422)
        .type("text")
        .send(`${z.prettifyError(query.error)}\n`);
      return;
    }
    const { from, group_by: groupBy, to } = query.data;
    const { days, ...range } = await completeRange(database, { from, to });
    if (days < 1 || days > maxCostDays) {
      response
        .status(422)
        .type("text")
        .send(
          `from must be at most ${maxCostDays - 1} days before to: atelier costs takes more.\n`,
        );
      return;
    }
    const report = await reportCosts(database, { groupBy, ...range });
    response.set("Cache-Control", "no-store").json(report);
  };
}

/**
 * Refuses cross-site requests: browsers attach saved Basic credentials to requests of other sites,
 * and mark them with `Sec-Fetch-Site` (W3C Fetch Metadata).
 */
function refuseForeignPages(request: Request, response: Response, next: NextFunction): void {
  const site = request.get("Sec-Fetch-Site") ?? "none";
  const isReading = request.method === "GET" || request.method === "HEAD";
  if (isReading || site === "same-origin" || site === "none") return next();
  response.status(403).type("text").send("This can only be asked for from Bull Board itself.\n");
}

/**
 * Requires one of the keys, as a bearer token or with HTTP Basic, for which browsers show a prompt:
 * any user name, and the key as the password.
 */
function requireOneOf(keys: readonly (string | undefined)[]) {
  const isOneOf = createTokenCheck(keys);
  return (request: Request, response: Response, next: NextFunction): void => {
    // Everything after the scheme is one value: an admin key may contain spaces.
    const [, scheme = "", credentials = ""] =
      /^(\S+) +(.*)$/s.exec(request.get("Authorization") ?? "") ?? [];
    const decoded = Buffer.from(credentials, "base64").toString();
    const token = /^basic$/i.test(scheme) ? decoded.slice(decoded.indexOf(":") + 1) : credentials;
    if (isOneOf(token)) return next();
    response
      .status(401)
      .set("WWW-Authenticate", 'Basic realm="atelier admin", charset="UTF-8"')
      .type("text")
      .send("Sign in with any user name and the admin key as password.\n");
  };
}
