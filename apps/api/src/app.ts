import { createOpenApiDocument } from "@atelier/openapi";
import { toOpenAIError } from "@atelier/schemas";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import helmet from "helmet";
import type { ApiDependencies } from "./dependencies.ts";
import { requireAdmission } from "./http/authenticate.ts";
import { handleErrors, presentErrors, refuseUnknownRoute } from "./http/error-handler.ts";
import type { Gate } from "./http/gate.ts";
import { logRequests } from "./http/log-requests.ts";
import { readPolicies } from "./http/rate-limit.ts";
import { readBody } from "./http/read-body.ts";
import { refuseQuery } from "./http/refuse-query.ts";
import { assignRequestId } from "./http/request-id.ts";
import { requireHost } from "./http/require-host.ts";
import { traceRequests } from "./http/trace-requests.ts";
import { readAccount } from "./routes/account.ts";
import { serveDocs } from "./routes/docs.ts";
import { serveFiles } from "./routes/files.ts";
import { generateImage } from "./routes/generate-image.ts";
import { generateScene } from "./routes/generate-scene.ts";
import { generateStory } from "./routes/generate-story.ts";
import { reportHealth, reportReadiness } from "./routes/health.ts";
import { serveImages } from "./routes/images.ts";
import { cancelJob, listJobs, readJob } from "./routes/jobs.ts";
import { serveMcp } from "./routes/mcp.ts";
import { listModels } from "./routes/models.ts";
import { generateOpenAIImage } from "./routes/openai-images.ts";
import { serveOpenApi } from "./routes/openapi.ts";

/** The public HTTP API: every route in one place. Never listens by itself. */
export function createApp(dependencies: ApiDependencies, gate: Gate): Express {
  const { config, storage, logger } = dependencies;
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false);
  app.set("query parser", "simple");

  if (dependencies.traced) app.use(traceRequests);
  app.use(assignRequestId, logRequests(dependencies), helmet());
  app.use("/v1/images/generations", presentErrors(toOpenAIError));
  app.use(requireHost);
  app.get("/healthz", reportHealth);
  app.use(gate.letIn);
  app.get("/readyz", gate.letProbeIn, reportReadiness(dependencies));
  app.get("/openapi.json", serveOpenApi(createOpenApiDocument({ publicUrl: config.PUBLIC_URL })));
  app.use("/docs", serveDocs());
  if (storage.serve !== null) app.use("/images", serveImages(storage.serve));

  const policies = readPolicies(dependencies);
  const v1 = express.Router();
  v1.use((request, response, next) => {
    response.locals["baseUrl"] = request.baseUrl;
    next();
  });
  const generating = [
    requireAdmission(policies.generate, dependencies),
    forbidStoring,
    refuseQuery,
    readBody,
  ];
  v1.post("/generate/image", generating, generateImage(dependencies));
  v1.post("/generate/story", generating, generateStory(dependencies));
  v1.post("/generate/scene", generating, generateScene(dependencies));
  v1.post("/images/generations", generating, generateOpenAIImage(dependencies));
  v1.use(requireAdmission(policies.other, dependencies), forbidStoring);
  v1.get("/jobs", listJobs(dependencies));
  v1.use(refuseQuery);
  v1.get("/jobs/:id", readJob(dependencies));
  v1.delete("/jobs/:id", cancelJob(dependencies));
  v1.get("/models", listModels(dependencies));
  v1.get("/account", readAccount(dependencies));
  v1.use(serveFiles(dependencies));
  app.use("/v1", v1);
  app.use(serveMcp(dependencies));

  app.use(refuseUnknownRoute);
  app.use(handleErrors(logger));
  return app;
}

/** What a key opens is for its owner alone. */
function forbidStoring(_request: Request, response: Response, next: NextFunction): void {
  response.set("Cache-Control", "no-store");
  next();
}
