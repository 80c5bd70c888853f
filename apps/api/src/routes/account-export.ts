import { assertLive, listKeys, listMembers as listPeople } from "@atelier/accounts";
import { readOperatorLog } from "@atelier/audit";
import { exportTransfers, readSharedBudgets, type ExportedTransfer } from "@atelier/billing";
import { findJobWebhooks, listWebhooks } from "@atelier/events";
import {
  createExportedJobs,
  readArchivedJobs,
  type ArchivedJob,
} from "@atelier/generations/archive";
import { listBatches } from "@atelier/generations/batches";
import { listMembers, type Member } from "@atelier/generations/cast";
import { listGenerations, readDetails } from "@atelier/generations/jobs";
import { collections, readCollectedJobs } from "@atelier/generations/library";
import { listUploads } from "@atelier/generations/uploads";
import { presentJob } from "@atelier/presentation";
import { formatEur } from "@atelier/schemas";
import type { ExportLine } from "@atelier/schemas/endpoints";
import { resources } from "@atelier/schemas/resources";
import type { Request, Response } from "express";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { presentBatch } from "../batches/present-batch.ts";
import { presentCharacter, presentLocation } from "../cast/present-member.ts";
import type { Needs } from "../dependencies.ts";
import { signWith } from "../generations/answer/sign.ts";
import { presentUpload } from "../generations/uploads/present-upload.ts";
import { isDisconnect } from "../http/answer/is-disconnect.ts";
import { contextOf } from "../http/context.ts";
import { chargeWork } from "../http/limits/rate-limit.ts";
import { presentKeys } from "../keys/present-keys.ts";
import { presentAccount } from "./account.ts";
import { presentBudget } from "./budgets.ts";
import { presentCollection } from "./collections.ts";
import { presentMember } from "./members.ts";
import { plainResources } from "./plain-resources.ts";
import { presentShare, sharesOf } from "./shares.ts";
import { presentWebhook } from "./webhooks.ts";

/** Rows that are read and held in memory at once. */
const pageSize = 100;

/**
 * `GET /v1/account/export`: all data of the account as JSON lines (GDPR, Art. 15 and 20). It is read
 * page by page as fast as the client accepts it; the server disconnects a client that stops reading.
 * The last line shows that the export is complete.
 */
export function serveExport(
  dependencies: Needs<"admissions" | "config" | "database" | "exportMutex" | "logger" | "storage">,
) {
  return async (_request: Request, response: Response): Promise<void> => {
    const { requestId, caller } = contextOf(response);
    assertLive(caller);
    const { accountId } = caller;
    await dependencies.exportMutex.run(accountId, async () => {
      response.set({
        "Content-Type": "application/x-ndjson",
        "Content-Disposition": `attachment; filename="atelier-${accountId}.jsonl"`,
      });
      const charge = () => chargeWork(response, 1, dependencies);
      const lines = Readable.from(exportLines(accountId, dependencies, charge));
      try {
        await pipeline(lines, response);
      } catch (error) {
        // The connection is closed by now, so that the client sees an incomplete response.
        if (!isDisconnect(error)) {
          dependencies.logger.error({ err: error, requestId, accountId }, "export failed");
        }
      }
    });
  };
}

/** @param charge called for each page. */
async function* exportLines(
  accountId: string,
  dependencies: Needs<"config" | "database" | "storage">,
  charge: () => Promise<void>,
): AsyncGenerator<string> {
  let lines = 0;
  for await (const line of collect(accountId, dependencies, charge)) {
    lines += 1;
    yield `${JSON.stringify(line)}\n`;
  }
  yield `${JSON.stringify({ type: "end", lines } satisfies ExportLine)}\n`;
}

async function* collect(
  accountId: string,
  dependencies: Needs<"config" | "database" | "storage">,
  charge: () => Promise<void>,
): AsyncGenerator<ExportLine> {
  const { database } = dependencies;
  yield { type: "account", account: await presentAccount(accountId, dependencies) };
  for (const key of await presentKeys(await listKeys(database, accountId), database)) {
    yield { type: "key", key };
  }
  for (const budget of await readSharedBudgets(database, accountId)) {
    yield { type: "budget", budget: presentBudget(budget) };
  }

  for (const one of await listPeople(database, accountId, null)) {
    yield { type: "member", member: presentMember(one) };
  }
  for (const webhook of await listWebhooks(database, accountId)) {
    yield { type: "webhook", webhook: presentWebhook(webhook) };
  }
  for (const upload of await listUploads(database, accountId)) {
    yield { type: "upload", upload: await presentUpload(upload, dependencies) };
  }

  const all = { accountId, limit: pageSize };
  const pagesOf = <Row extends { readonly id: string }>(
    read: (before: string | null) => Promise<readonly Row[]>,
  ) => readPages(read, charge);
  const members = pagesOf((beforeId) => listMembers(database, { ...all, kind: null, beforeId }));
  for await (const page of members) {
    for (const member of page) yield await exportMember(member, dependencies);
  }
  for await (const page of pagesOf((beforeId) => listBatches(database, { ...all, beforeId }))) {
    for (const batch of page) {
      const { webhookUrl } = batch;
      const sentTo = webhookUrl === null ? {} : { webhook_url: webhookUrl };
      yield { type: "batch", batch: presentBatch(batch), ...sentTo };
    }
  }
  for (const { resource, list } of plainResources) {
    const type = resources[resource].singular;
    const pages = pagesOf((beforeId) => list(database, { ...all, mode: null, beforeId }));
    for await (const page of pages) {
      for (const one of page) yield { type, [type]: one } as ExportLine;
    }
  }
  const shares = sharesOf(dependencies.config);
  for await (const page of pagesOf((beforeId) =>
    shares.list(database, { ...all, mode: null, beforeId }),
  )) {
    for (const one of page) yield { type: "share", share: presentShare(one) };
  }
  for await (const page of pagesOf((beforeId) =>
    collections.list(database, { ...all, mode: null, beforeId }),
  )) {
    for (const one of page) {
      const jobs = await readCollectedJobs(database, one.id);
      yield { type: "collection", collection: { ...presentCollection(one), jobs } };
    }
  }

  const exported = createExportedJobs();
  const generations = pagesOf((beforeId) => listGenerations(database, { ...all, beforeId }));
  for await (const page of generations) {
    const ids = page.map(({ id }) => id);
    exported.add(ids);
    const details = await readDetails(database, ids);
    const webhooks = await findJobWebhooks(database, ids);
    for (const generation of page) {
      const detailed = { ...generation, ...details.get(generation.id) };
      const job = await presentJob(detailed, signWith(dependencies));
      const webhook = webhooks.get(generation.id);
      yield { type: "job", job, ...(webhook !== undefined && { webhook }) };
    }
  }

  let archived = 0;
  const { storage } = dependencies;
  for await (const job of readArchivedJobs(database, storage, { accountId, exported })) {
    if (archived++ % pageSize === 0) await charge();
    yield { type: "archived_job", job: presentArchived(job) };
  }

  for await (const page of pagesOf((after) => exportTransfers(database, { ...all, after }))) {
    for (const transfer of page) yield { type: "transfer", transfer: presentTransfer(transfer) };
  }

  await charge();
  for await (const line of readOperatorLog(database, { targetId: accountId })) {
    const { at, action, fields, values } = line;
    const shown = { created_at: at.toISOString(), action, fields: [...fields], values };
    yield { type: "operator_action", action: shown };
  }
}

/**
 * Reads the pages of a list.
 *
 * @param read returns the rows after an id, one page or one row more.
 */
async function* readPages<Row extends { readonly id: string }>(
  read: (before: string | null) => Promise<readonly Row[]>,
  charge: () => Promise<void>,
): AsyncGenerator<readonly Row[]> {
  let before: string | null = null;
  do {
    await charge();
    const found = await read(before);
    const page = found.slice(0, pageSize);
    yield page;
    before = found.length < pageSize ? null : (page.at(-1)?.id ?? null);
  } while (before !== null);
}

async function exportMember(
  member: Member,
  dependencies: Needs<"config" | "storage">,
): Promise<ExportLine> {
  const sign = signWith(dependencies);
  return member.kind === "character"
    ? { type: "character", character: await presentCharacter(member, sign) }
    : { type: "location", location: await presentLocation(member, sign) };
}

function presentArchived(job: ArchivedJob) {
  return {
    id: job.id,
    operation: job.operation,
    status: job.status,
    model: job.model,
    title: job.title,
    request: job.request,
    metadata: job.metadata,
    charged_eur: formatEur(BigInt(job.charged_micro_eur ?? 0)),
    created_at: new Date(job.created_at).toISOString(),
    completed_at: new Date(job.completed_at).toISOString(),
  };
}

function presentTransfer(transfer: ExportedTransfer) {
  return {
    id: transfer.id,
    kind: transfer.kind,
    created_at: transfer.bookedAt.toISOString(),
    available_eur: formatEur(transfer.availableMicroEur),
    held_eur: formatEur(transfer.heldMicroEur),
    charged_eur: formatEur(transfer.chargedMicroEur),
    job_id: transfer.generationId,
    reference: transfer.reference,
  };
}
