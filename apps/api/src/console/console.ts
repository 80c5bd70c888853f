import { join } from "node:path";
import { createAdminDocument } from "@atelier/openapi";
import { lazily } from "@atelier/kit";
import express, { type Router } from "express";
import helmet from "helmet";
import type { Needs } from "../dependencies.ts";
import { compressJson } from "../http/answer/compress-json.ts";
import { closeUnread } from "../http/body/close-unread.ts";
import { readJson, requireJson } from "../http/body/read-body.ts";
import { receiveBody } from "../http/body/receive-body.ts";
import { handleErrors } from "../http/error-handler.ts";
import { forbidStoring } from "../http/forbid-storing.ts";
import { assignRequestId } from "../http/request-id.ts";
import { createRouter } from "../http/routes.ts";
import { AppError } from "@atelier/schemas";
import { serveOpenApi } from "../routes/openapi.ts";
import { servePages } from "../studio/serve-pages.ts";
import { serveAccounts } from "./accounts.ts";
import { operatorOf, requireOperator, requireOwnPage } from "./guards.ts";
import { serveHealth } from "./health.ts";
import { serveJobs } from "./jobs.ts";
import { serveOperatorSignIn } from "./oidc-routes.ts";
import { recordWrite } from "./record-write.ts";
import type { ConsoleConfig, Operator } from "./session.ts";
import { isOpen, serveOperatorSession } from "./session-routes.ts";

/** Longest body of a request, without pictures. */
const maxBodyBytes = 16_384;

export type ConsoleDependencies = Needs<
  | "admissions"
  | "catalogue"
  | "config"
  | "database"
  | "inspector"
  | "lanes"
  | "logger"
  | "modelAliases"
  | "queues"
  | "storage"
  | "studioPages"
>;

/** `/admin`: the operators' console: its API with the sessions and the document, and its pages. */
export function serveConsole(dependencies: ConsoleDependencies, adminKey: string): Router {
  const config: ConsoleConfig = { ...dependencies.config, ADMIN_KEY: adminKey };
  const ownPage = requireOwnPage(config);
  const router = express.Router();
  router.use(assignRequestId, closeUnread, helmet(), compressJson);

  const document = lazily(() =>
    createAdminDocument(config.ADMIN_URL ?? `http://localhost:${config.ADMIN_PORT}`),
  );
  router.get("/openapi.json", serveOpenApi(document));

  const routes = createRouter<Operator>({
    prefix: "/admin/v1",
    admit: (endpoint) => [
      forbidStoring,
      ownPage,
      ...(isOpen(endpoint) ? [] : [requireOperator(endpoint, config)]),
    ],
    readBody: () => async (request, response, next) => {
      requireJson(request);
      request.body = readJson(await receiveBody(request, response, maxBodyBytes));
      next();
    },
    senderOf: operatorOf,
    async before(endpoint, request) {
      const { locals } = request.response;
      const requestId = String(locals["requestId"]);
      locals["changedAccount"] = await recordWrite(dependencies, endpoint, request, requestId);
    },
    after(_endpoint, { response }) {
      const accountId = response.locals["changedAccount"] as string | null | undefined;
      if (accountId != null) dependencies.admissions.forget(accountId);
    },
  });
  serveOperatorSession(routes, config, dependencies);
  serveOperatorSignIn(routes, router, config, dependencies);
  serveAccounts(routes, dependencies);
  serveJobs(routes, dependencies);
  serveHealth(routes, dependencies);
  router.use("/v1", routes.router, () => {
    throw new AppError("not_found", "This path does not exist. /admin/openapi.json lists them.");
  });
  router.use(servePages(join(dependencies.studioPages, "console"), null));
  router.use(handleErrors(dependencies.logger));
  return router;
}
