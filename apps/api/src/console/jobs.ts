import { refundJob } from "@atelier/billing";
import { findArchivedCharge } from "@atelier/generations/archive";
import {
  explainJob,
  findJobs,
  presentArchivedTrace,
  presentFoundJob,
  presentFoundJobs,
  type JobClue,
} from "@atelier/generations/inspect";
import { jobNotFound } from "@atelier/generations/endings";
import { formatEur, parseEur } from "@atelier/schemas";
import * as admin from "@atelier/schemas/admin";
import type { QueryOf } from "@atelier/schemas/endpoints";
import type { Needs } from "../dependencies.ts";
import { leaveBody } from "../http/body/read-body.ts";
import { readCursor, splitPage } from "../http/cursor.ts";
import type { Routes } from "../http/routes.ts";
import { createIdentifier } from "../verification/identify-upload.ts";
import { orRefuse } from "./record-write.ts";
import type { Operator } from "./session.ts";

/** Jobs that a clue other than a time leads to, such as those of a batch. */
const maxFound = 100;

/** `/admin/v1/jobs`, over the functions of `atelier find`, `jobs explain` and `accounts refund`. */
export function serveJobs(
  routes: Routes<Operator>,
  dependencies: Needs<"database" | "inspector" | "logger" | "storage">,
): void {
  const { database, storage } = dependencies;
  const identify = createIdentifier(dependencies, { charge: () => undefined });
  const options = { notFound: jobNotFound };

  routes.add(admin.findAdminJobs, async ({ query: { limit, cursor, ...clues } }) => {
    const clue = readClue(clues, readCursor(cursor));
    const hasPages = clue.by === "time" || clue.by === "account";
    const found = await findJobs(database, clue, hasPages ? limit + 1 : maxFound);
    if (!hasPages) return { ...presentFoundJobs(found), next_cursor: null };
    const { page, nextCursor } = splitPage(found.jobs, limit);
    return { ...presentFoundJobs({ ...found, jobs: page }), next_cursor: nextCursor };
  });

  routes.send(
    admin.recogniseJob,
    async (request, response) => {
      const { image, verdict, basedOn } = await identify(request, response);
      const found =
        image === null
          ? { jobs: [], archived: null }
          : await findJobs(database, { by: "render", id: image.renderId }, 1);
      const recognised = verdict === "made_here" ? basedOn : [verdict, ...basedOn];
      response.json({ ...presentFoundJobs(found), recognised_by: recognised });
    },
    { body: leaveBody },
  );

  routes.add(
    admin.explainAdminJob,
    async ({ params: { id } }) => {
      const { jobs, archived } = await findJobs(database, { by: "job", id }, 1);
      const [job] = jobs;
      if (job === undefined && archived === null) throw jobNotFound();
      const events = job === undefined ? [] : ((await explainJob(database, id)) ?? []);
      return {
        job: job === undefined ? null : presentFoundJob(job),
        archived: archived && presentArchivedTrace(archived),
        events: events.map((event) => ({ ...event, at: event.at.toISOString() })),
      };
    },
    options,
  );

  routes.add(
    admin.refundAdminJob,
    async ({ params: { id }, body: { eur, reference } }) => {
      const amountMicroEur = eur === undefined ? null : parseEur(eur);
      const request = { generationId: id, amountMicroEur, reference };
      const refund = await orRefuse(
        refundJob(database, request, (jobId) => findArchivedCharge(database, storage, jobId)),
      );
      return {
        account_id: refund.accountId,
        job_id: id,
        booked: refund.booked,
        reference,
        amount_eur: formatEur(refund.amountMicroEur),
        charged_eur: formatEur(refund.chargedMicroEur),
        refunded_eur: formatEur(refund.refundedMicroEur),
        balance_eur: formatEur(refund.balanceMicroEur),
      };
    },
    options,
  );
}

/** The clue of a query, which has exactly one. A time may narrow the jobs of an account. */
function readClue(
  {
    job,
    request_id: requestId,
    sha256,
    account_id: accountId,
    status,
    from,
    to,
  }: Omit<QueryOf<typeof admin.findAdminJobs>, "limit" | "cursor">,
  before: string | null,
): JobClue {
  if (job !== undefined) return { by: "job", id: job };
  if (requestId !== undefined) return { by: "request-id", id: requestId };
  if (sha256 !== undefined) return { by: "hash", sha256 };
  if (accountId !== undefined) return { by: "account", id: accountId, status, from, to, before };
  const end = to === undefined ? new Date() : new Date(to);
  return { by: "time", from: new Date(from ?? 0), to: end, text: "", before };
}
