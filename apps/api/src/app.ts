import { verifyUrl } from "@atelier/configuration";
import { lazily } from "@atelier/kit";
import { createOpenApiDocument } from "@atelier/openapi";
import express, { type Express } from "express";
import helmet from "helmet";
import type { ApiDependencies } from "./dependencies.ts";
import { allowCrossOrigin } from "./http/allow-cross-origin.ts";
import { allowOrigins } from "./http/allow-origins.ts";
import { compressJson } from "./http/answer/compress-json.ts";
import { createBodyMemory } from "./http/limits/shares.ts";
import { closeUnread } from "./http/body/close-unread.ts";
import { chargeRefusals, handleErrors } from "./http/error-handler.ts";
import { forbidStoring } from "./http/forbid-storing.ts";
import type { Gate } from "./http/limits/gate.ts";
import { limitAddresses } from "./http/limits/limit-addresses.ts";
import { readPolicies } from "./http/limits/rate-limit.ts";
import { logRequests } from "./http/log-requests.ts";
import { refuseNul } from "./http/refuse-nul.ts";
import { refuseQuery } from "./http/refuse-query.ts";
import { assignRequestId } from "./http/request-id.ts";
import { requireHost } from "./http/require-host.ts";
import { traceRequests } from "./http/trace-requests.ts";
import { refuseUnknownRoute } from "./http/unknown-route.ts";
import { serveLabel } from "./labels/serve-label.ts";
import { presentOpenAIErrors } from "./openai/openai-paths.ts";
import { serveDocs } from "./routes/docs.ts";
import { reportHealth, reportReadiness } from "./routes/health.ts";
import { serveImages } from "./routes/images.ts";
import { serveMcp } from "./routes/mcp.ts";
import { serveOpenApi } from "./routes/openapi.ts";
import { servePackages } from "./routes/packages.ts";
import { serveSoftBindings } from "./routes/soft-bindings.ts";
import { verifyImage } from "./routes/verify.ts";
import { abuseContact } from "./shares/abuse-contact.ts";
import { serveShared } from "./shares/serve-shared.ts";
import { serveStudio } from "./studio/serve-studio.ts";
import { createV1 } from "./v1.ts";
import { createIdentifier } from "./verification/identify-upload.ts";

/** Creates the public HTTP API with all of its routes. Does not listen. */
export function createApp(dependencies: ApiDependencies, gate: Gate): Express {
  const { config, storage, logger } = dependencies;
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false);
  app.set("trust proxy", config.TRUSTED_PROXIES);
  app.locals["bodyBudget"] = createBodyMemory();
  app.set("query parser", "simple");

  if (dependencies.traced) app.use(traceRequests);
  app.use(assignRequestId, logRequests(dependencies), closeUnread, helmet(), compressJson);
  app.use(presentOpenAIErrors);
  app.use("/v1", allowOrigins(config));
  app.use(requireHost(config));
  app.use(["/v1", "/studio"], refuseNul);
  app.get("/healthz", reportHealth);
  app.use(gate.letIn);
  app.get("/readyz", gate.letProbeIn, reportReadiness(dependencies));
  const { PUBLIC_URL: publicUrl } = config;
  // It takes a tenth of the start, and most processes never serve it.
  const readDocument = lazily(() =>
    createOpenApiDocument({ publicUrl, operations: dependencies.operations }),
  );
  app.get("/openapi.json", serveOpenApi(readDocument));
  app.use("/docs", serveDocs());
  app.use("/packages", servePackages());
  if (storage.serve !== null) {
    app.use("/images", serveImages(storage.serve, verifyUrl(config)));
  }
  if (config.SHARES === "on") {
    app.use("/s", serveShared(abuseContact(config), dependencies));
  }
  app.get("/label.js", allowCrossOrigin("GET"), serveLabel(verifyUrl(config)));

  const policies = readPolicies(dependencies);
  app.get("/", (_request, response) => response.redirect("/studio"));
  app.get("/verify", (_request, response) => response.redirect("/studio/verify"));
  app.use("/studio", serveStudio(policies.other, dependencies));
  const verificationLimit = limitAddresses(policies.verify);
  const identify = createIdentifier(dependencies, verificationLimit);
  app
    .route("/verify")
    .all(allowCrossOrigin("POST"))
    .post(verificationLimit.admit, forbidStoring, refuseQuery, verifyImage(dependencies, identify));
  app.use("/c2pa", serveSoftBindings(dependencies, identify, verificationLimit));

  app.use("/v1", createV1(dependencies, readDocument).router);
  app.use(serveMcp(dependencies));

  app.use(refuseUnknownRoute(app, publicUrl));
  app.use(chargeRefusals(dependencies), handleErrors(logger));
  return app;
}
