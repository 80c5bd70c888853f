import { readFileSync } from "node:fs";
import * as z from "zod";
import type { Fault } from "../../testing/faults.ts";
import { createJobs, type Jobs } from "../../testing/jobs.ts";
import {
  makeImage,
  startProtocolServer,
  type ProtocolCall,
  type ProtocolServer,
  type Reply,
  type Visit,
} from "../../testing/protocol-server.ts";
import { readForm } from "../../testing/read-form.ts";
import { isImageInBase64 } from "../../testing/read-json-body.ts";
import { findMaskProblem } from "../../testing/read-mask.ts";

/** The text of the description of the invented protocol. */
export const inventedText = readFileSync(new URL("invented.json", import.meta.url), "utf8");

/** The price of an image of the invented server, in the currency of its header. */
const inventedPrice = "4.2";

const orderSchema = z.strictObject({
  text: z.string().min(1),
  without: z.string().optional(),
  box: z.tuple([z.int().min(64), z.int().min(64)]),
  number: z.int().min(1).max(2_147_483_647),
  rounds: z.int().min(1).max(50).optional(),
});
type Order = z.infer<typeof orderSchema>;

/**
 * A server with a protocol that no vendor has: `POST /v2/jobs` takes a form with the JSON part
 * `job`, files `sample` and a file `stencil` whose white pixels mark what to change; the state is
 * polled at `/v2/jobs/<no>?view=phase`; the image is fetched as bytes from `/v2/jobs/<no>/picture`
 * with its cost in a header; `DELETE` cancels. Its 429 says the time only in a text.
 */
export function startInventedServer({
  apiKey,
}: {
  readonly apiKey: string;
}): Promise<ProtocolServer> {
  const jobs = createJobs<Order>();
  return startProtocolServer(
    (visit) => respond(visit, apiKey, jobs),
    ({ method }) => (method === "POST" ? "order" : method === "GET" ? "poll" : null),
  );
}

async function respond(visit: Visit, apiKey: string, jobs: Jobs<Order>): Promise<Reply> {
  const { call, fault, url } = visit;
  if (call.headers["x-token"] !== apiKey) return problem(401, `no token ${apiKey.slice(0, 3)}`);
  if (call.method === "POST" && url.pathname === "/v2/jobs") return take(visit, jobs);
  const [, id = "", picture] = /^\/v2\/jobs\/([\w-]+)(\/picture)?$/.exec(url.pathname) ?? [];
  if (id === "") return problem(404, "no such page");
  if (call.method === "GET" && fault?.kind === "server-error" && fault.at === "poll") {
    return problem(fault.status, "a broken machine");
  }
  const job = jobs.find(id, fault);
  if (job === null) return problem(410, "no such job");
  if (call.method === "DELETE") {
    job.cancelled = true;
    return { status: 200, json: {} };
  }
  if (picture !== undefined) return serve(job.order, fault);
  if (url.search !== "?view=phase") return problem(400, "a view is needed");
  const state = jobs.poll(job, fault);
  return { status: 200, json: { job: { phase: phaseOf(state, fault) } } };
}

function phaseOf(state: "waiting" | "working" | "ended", fault: Fault | null): string {
  if (state !== "ended") return state === "waiting" ? "queued" : "drawing";
  if (fault?.kind === "failed-job") return "broken";
  return fault?.kind === "refusal" && fault.shape === "picture" ? "rejected" : "drawn";
}

async function take(visit: Visit, jobs: Jobs<Order>): Promise<Reply> {
  const { call, fault } = visit;
  const order = await readOrder(call);
  if (typeof order === "string") return problem(400, order);
  const failed = failureOf(fault);
  if (failed !== null) return failed;
  visit.pay();
  const id = crypto.randomUUID();
  jobs.take(id, order);
  return { status: 202, json: { job: { no: id, phase: "queued" } } };
}

/** The order of a form, or what is wrong with it. */
async function readOrder(call: ProtocolCall): Promise<Order | string> {
  const parts = await readForm(call);
  if (parts === null) return "a form is needed";
  const files = parts.filter(({ fileName }) => fileName !== null);
  const other = parts.find(({ name }) => !["job", "sample", "stencil"].includes(name));
  if (other !== undefined) return `unknown part ${other.name}`;
  if (files.some(({ bytes }) => !isImageInBase64(bytes.toString("base64")))) return "no image";
  const sample = files.find(({ name }) => name === "sample");
  const stencil = files.find(({ name }) => name === "stencil");
  if (stencil !== undefined) {
    if (sample === undefined) return "a stencil without a sample";
    const wrong = await findMaskProblem(sample.bytes, stencil.bytes, "white");
    if (wrong !== null) return wrong;
  }
  const text = parts.find(({ name }) => name === "job")?.bytes.toString() ?? "null";
  const parsed = orderSchema.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : z.prettifyError(parsed.error);
}

function failureOf(fault: Fault | null): Reply | null {
  if (fault?.kind === "refusal" && fault.shape === "order") {
    return { status: 200, json: { declined: { rules: ["gore", "hate"] } } };
  }
  if (fault?.kind === "rate-limit") {
    return problem(
      429,
      `try again ${fault.retryAfter === null ? "later" : `in ${fault.retryAfter} s`}`,
    );
  }
  if (fault?.kind === "out-of-quota") return problem(409, "no credit left");
  if (fault?.kind === "invalid-request") return problem(400, "the text is odd");
  if (fault?.kind === "server-error" && fault.at === "order") {
    return problem(fault.status, "a broken machine");
  }
  return null;
}

async function serve({ box }: Order, fault: Fault | null): Promise<Reply> {
  const [width, height] = box;
  const bytes = await makeImage({ width, height }, "png", fault);
  return { status: 200, headers: { "x-price-cents": inventedPrice }, bytes };
}

function problem(status: number, complaint: string): Reply {
  return { status, json: { complaint } };
}
