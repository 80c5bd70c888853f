import type { OpenApiDocument } from "@atelier/openapi";
import * as endpoints from "@atelier/schemas/endpoints";
import type { ApiDependencies } from "./dependencies.ts";
import { sendingMemory } from "./http/answer/send-files.ts";
import { requireAdmission } from "./http/authenticate.ts";
import { leaveBody } from "./http/body/read-body.ts";
import { forbidStoring } from "./http/forbid-storing.ts";
import { createBodyMemory, createShares } from "./http/limits/shares.ts";
import { readPolicies } from "./http/limits/rate-limit.ts";
import { createRoutes, type Routes } from "./http/routes.ts";
import { serveExport } from "./routes/account-export.ts";
import { serveAccount } from "./routes/account.ts";
import { serveAssist } from "./routes/assist.ts";
import { serveBatches } from "./routes/batches.ts";
import { serveBudgets } from "./routes/budgets.ts";
import { serveCast } from "./routes/cast.ts";
import { serveCollections } from "./routes/collections.ts";
import { serveEvents } from "./routes/events.ts";
import { serveFiles } from "./routes/files.ts";
import { imageMemory } from "./generations/uploads/request-images.ts";
import { serveGenerate } from "./routes/generate-operation.ts";
import { serveJobs } from "./routes/jobs.ts";
import { serveKept } from "./routes/kept.ts";
import { serveKeys } from "./routes/keys.ts";
import { serveMembers } from "./routes/members.ts";
import { serveModels } from "./routes/models.ts";
import { serveChat } from "./routes/openai-chat.ts";
import { editOpenAIImages, varyOpenAIImage } from "./routes/openai-edits.ts";
import { generateOpenAIImages } from "./routes/openai-images.ts";
import { plainResources } from "./routes/plain-resources.ts";
import { serveQuotes } from "./routes/quotes.ts";
import { serveShares } from "./routes/shares.ts";
import { serveTransactions } from "./routes/transactions.ts";
import { receivingMemory, serveUploads } from "./routes/uploads.ts";
import { serveUsage } from "./routes/usage.ts";
import { serveWebhooks } from "./routes/webhooks.ts";

/** Creates the routes under `/v1`. */
export function createV1(
  dependencies: ApiDependencies,
  readDocument: () => OpenApiDocument,
): Routes {
  const routes = createRoutes(dependencies);
  const receiving = {
    ...dependencies,
    // Of images that are sent inline.
    memory: createShares(sendingMemory),
    imageMemory: createShares(imageMemory),
    uploadBudget: createBodyMemory(receivingMemory),
  };
  serveGenerate(routes, receiving);
  serveUploads(routes, receiving);
  const unread = { body: leaveBody };
  routes.send(endpoints.generateOpenAIImage, generateOpenAIImages(receiving), unread);
  routes.send(endpoints.editOpenAIImages, editOpenAIImages(receiving), unread);
  routes.send(endpoints.varyOpenAIImage, varyOpenAIImage(receiving), unread);

  serveChat(routes, receiving);
  serveJobs(routes, dependencies);
  serveEvents(routes, dependencies);
  serveBatches(routes, dependencies);
  serveQuotes(routes, dependencies);
  serveAssist(routes, dependencies);
  serveModels(routes, dependencies);
  serveUsage(routes, dependencies);
  serveTransactions(routes, dependencies);
  serveAccount(routes, dependencies);
  routes.send(endpoints.exportAccount, serveExport(dependencies));
  serveCast(routes, dependencies);
  serveCollections(routes, dependencies);
  for (const resource of plainResources) resource.serve(routes, dependencies);
  serveKept(routes, dependencies);
  serveShares(routes, dependencies);
  serveKeys(routes, dependencies);
  serveBudgets(routes, dependencies);
  serveMembers(routes, dependencies);
  serveWebhooks(routes, dependencies);
  serveFiles(routes, dependencies, readDocument);

  // A request without a valid key does not learn which routes exist.
  routes.router.use(
    requireAdmission(readPolicies(dependencies).other, dependencies),
    forbidStoring,
  );
  return routes;
}
