import { createHash, timingSafeEqual } from "node:crypto";
import { createBullBoard } from "@bull-board/api";
import { BullMQAdapter } from "@bull-board/api/bullMQAdapter";
import { ExpressAdapter } from "@bull-board/express";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import type { ApiDependencies } from "./dependencies.ts";

/** For operators: Bull Board at `/queues`, behind the admin key. Never listens by itself. */
export function createAdminApp({ queues }: ApiDependencies, adminKey: string): Express {
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath("/queues");
  createBullBoard({
    queues: queues.bullQueues.map((queue) => new BullMQAdapter(queue)),
    serverAdapter,
  });
  const app = express();
  app.disable("x-powered-by");
  app.use(requireAdminKey(adminKey));
  app.get("/", (_request, response) => response.redirect("/queues"));
  app.use("/queues", serverAdapter.getRouter());
  return app;
}

/** HTTP Basic, so that a browser can ask for it: any user name, the admin key as password. */
function requireAdminKey(adminKey: string) {
  const expected = digest(adminKey);
  return (request: Request, response: Response, next: NextFunction): void => {
    // What comes after the scheme is one whole: an admin key may have spaces.
    const [, scheme = "", credentials = ""] =
      /^(\S+) +(.*)$/.exec(request.get("Authorization") ?? "") ?? [];
    const decoded = Buffer.from(credentials, "base64").toString();
    const given = /^basic$/i.test(scheme) ? decoded.slice(decoded.indexOf(":") + 1) : credentials;
    if (timingSafeEqual(digest(given), expected)) return next();
    response
      .status(401)
      .set("WWW-Authenticate", 'Basic realm="atelier admin", charset="UTF-8"')
      .type("text")
      .send("Sign in with any user name and the admin key as password.\n");
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
