import { createOpenApiDocument } from "@atelier/openapi";
import { namesOf, toOpenAIError } from "@atelier/schemas";
import express, { type Express } from "express";
import helmet from "helmet";
import type { ApiDependencies } from "./dependencies.ts";
import { requireAdmission } from "./http/authenticate.ts";
import { forbidStoring } from "./http/forbid-storing.ts";
import { limitAddresses } from "./http/limit-addresses.ts";
import { createBodyBudget } from "./http/body-budget.ts";
import { closeUnread } from "./http/close-unread.ts";
import {
  chargeRefusals,
  handleErrors,
  presentErrors,
  refuseUnknownRoute,
} from "./http/error-handler.ts";
import type { Gate } from "./http/gate.ts";
import { logRequests } from "./http/log-requests.ts";
import { readPolicies } from "./http/rate-limit.ts";
import { readBody } from "./http/read-body.ts";
import { createMemory } from "./http/memory.ts";
import { refuseOtherQuery, refuseQuery } from "./http/refuse-query.ts";
import { assignRequestId } from "./http/request-id.ts";
import { refuseNul } from "./http/refuse-nul.ts";
import { requireHost } from "./http/require-host.ts";
import { keepBaseUrl } from "./http/route-template.ts";
import { traceRequests } from "./http/trace-requests.ts";
import { changeAccount, readAccount } from "./routes/account.ts";
import { streamAccount, streamJob } from "./routes/events.ts";
import { serveExport } from "./routes/account-export.ts";
import { serveDocs } from "./routes/docs.ts";
import { serveFiles } from "./routes/files.ts";
import { generateOperation } from "./routes/generate-operation.ts";
import { reportHealth, reportReadiness } from "./routes/health.ts";
import { serveImages } from "./routes/images.ts";
import { sendArchive } from "./routes/archive.ts";
import { cancelJob, deleteJobImages, listJobs, readJob } from "./routes/jobs.ts";
import { serveKeys } from "./routes/keys.ts";
import { serveMcp } from "./routes/mcp.ts";
import { listModels, readModel } from "./routes/models.ts";
import { serveWebhooks } from "./routes/webhooks.ts";
import { otherPaths } from "./openai/other-paths.ts";
import { sendingMemory } from "./openai/send-files.ts";
import { generateOpenAIImages } from "./routes/openai-images.ts";
import { editOpenAIImages, varyOpenAIImage } from "./routes/openai-edits.ts";
import { createUpload, deleteUpload, readUpload, receivingMemory } from "./routes/uploads.ts";
import { serveOpenApi } from "./routes/openapi.ts";
import { createQuote } from "./routes/quotes.ts";
import { readTransactions } from "./routes/transactions.ts";
import { reportUsage } from "./routes/usage.ts";
import { verifyImage } from "./routes/verify.ts";
import { serveStudio } from "./studio/serve-studio.ts";

/** Creates the public HTTP API with all of its routes. Does not listen. */
export function createApp(dependencies: ApiDependencies, gate: Gate): Express {
  const { config, storage, logger } = dependencies;
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false);
  app.set("trust proxy", config.TRUSTED_PROXIES);
  app.locals["bodyBudget"] = createBodyBudget();
  app.set("query parser", "simple");

  if (dependencies.traced) app.use(traceRequests);
  app.use(assignRequestId, logRequests(dependencies), closeUnread, helmet());
  // An expression, because a path with a parameter does not match an id that cannot be decoded.
  app.use(["/v1/images", ...otherPaths, /^\/v1\/models\/.+/i], presentErrors(toOpenAIError));
  app.use(requireHost);
  app.use(["/v1", "/studio"], refuseNul);
  app.get("/healthz", reportHealth);
  app.use(gate.letIn);
  app.get("/readyz", gate.letProbeIn, reportReadiness(dependencies));
  const { PUBLIC_URL: publicUrl } = config;
  const document = createOpenApiDocument({ publicUrl, operations: dependencies.operations });
  app.get("/openapi.json", serveOpenApi(document));
  app.use("/docs", serveDocs());
  if (storage.serve !== null) app.use("/images", serveImages(storage.serve));

  const policies = readPolicies(dependencies);
  app.get("/", (_request, response) => response.redirect("/studio"));
  app.get("/verify", (_request, response) => response.redirect("/studio/verify"));
  app.use("/studio", serveStudio(policies.other, dependencies));
  const verificationLimit = limitAddresses(policies.verify);
  app.post(
    "/verify",
    verificationLimit.admit,
    forbidStoring,
    refuseQuery,
    verifyImage(dependencies, verificationLimit),
  );

  const v1 = express.Router();
  v1.use(keepBaseUrl);
  const generating = [
    requireAdmission(policies.generate, dependencies),
    forbidStoring,
    refuseQuery,
    readBody,
  ];
  for (const operation of namesOf(dependencies.operations)) {
    v1.post(`/generate/${operation}`, generating, generateOperation(operation, dependencies));
  }
  const uploading = [requireAdmission(policies.generate, dependencies), forbidStoring, refuseQuery];
  const receiving = { ...dependencies, uploadBudget: createBodyBudget(receivingMemory) };
  v1.post("/uploads", uploading, createUpload(receiving));
  const admitOpenAI = [
    requireAdmission(policies.generate, dependencies),
    forbidStoring,
    refuseOtherQuery,
  ];
  const openai = { ...receiving, memory: createMemory(sendingMemory) };
  v1.post("/images/generations", admitOpenAI, readBody, generateOpenAIImages(openai));
  v1.post("/images/edits", admitOpenAI, editOpenAIImages(openai));
  v1.post("/images/variations", admitOpenAI, varyOpenAIImage(openai));
  v1.use(requireAdmission(policies.other, dependencies), forbidStoring);
  v1.get("/jobs", listJobs(dependencies));
  v1.get("/jobs/:id/archive", sendArchive(dependencies));
  v1.get("/usage", reportUsage(dependencies));
  v1.get("/transactions", readTransactions(dependencies));
  v1.use(serveWebhooks(dependencies));
  v1.get("/models", refuseOtherQuery, listModels(dependencies));
  v1.get("/models/:id", refuseOtherQuery, readModel(dependencies));
  v1.use(refuseQuery);
  v1.get("/jobs/:id", readJob(dependencies));
  v1.delete("/jobs/:id", cancelJob(dependencies));
  v1.post("/quotes", readBody, createQuote(dependencies));
  v1.get("/jobs/:id/events", streamJob(dependencies));
  v1.get("/events", streamAccount(dependencies));
  v1.delete("/jobs/:id/images", deleteJobImages(dependencies));
  v1.get("/uploads/:id", readUpload(dependencies));
  v1.delete("/uploads/:id", deleteUpload(dependencies));
  v1.get("/account", readAccount(dependencies));
  v1.get("/account/export", serveExport(dependencies));
  v1.patch("/account", readBody, changeAccount(dependencies));
  v1.use(serveKeys(dependencies));
  v1.use(serveFiles(dependencies));
  app.use("/v1", v1);
  app.use(serveMcp(dependencies));

  app.use(refuseUnknownRoute);
  app.use(chargeRefusals(dependencies), handleErrors(logger));
  return app;
}
