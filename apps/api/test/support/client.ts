import {
  account,
  errorBody,
  job,
  jobAccepted,
  jobList,
  type ErrorBody,
  type Job,
  type ListedJob,
} from "@atelier/schemas";
import type { Stack, TestAccount } from "@atelier/testing";
import { eventually } from "./eventually.ts";

/** An image of a fake provider, which costs 0.05 EUR. */
export const image = { model: "fake-blind", prompt: "a lighthouse at dusk" };

/** Operations of an API client; every response is validated against its schema. */
export interface Client {
  readonly account: TestAccount;
  generate(body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Requests an image without waiting for it and returns the job id. */
  accept(body?: unknown): Promise<string>;
  read(jobId: string): Promise<Job>;
  untilFinal(jobId: string): Promise<Job>;
  list(query?: string): Promise<{ jobs: ListedJob[]; next_cursor: string | null }>;
  cancel(jobId: string): Promise<Response>;
  money(): Promise<{ balance_eur: string; held_eur: string }>;
}

/** Creates a client with a separate account. */
export async function createClient(stack: Stack, creditEur?: string): Promise<Client> {
  return clientOf(stack, await stack.createAccount(creditEur));
}

/** Creates a client with a key of an account. */
export function clientOf(stack: Stack, own: TestAccount): Client {
  const generate: Client["generate"] = (body = image, headers) =>
    stack.request(own, "POST", "/v1/generate/image", body, headers);
  const read: Client["read"] = async (jobId) =>
    job.parse(await (await stack.request(own, "GET", `/v1/jobs/${jobId}`)).json());
  return {
    account: own,
    generate,
    async accept(body) {
      const response = await generate(body, { Prefer: "respond-async" });
      return jobAccepted.parse(await response.json()).job_id;
    },
    read,
    untilFinal: (jobId) =>
      eventually(
        () => read(jobId),
        ({ status }) => status !== "pending" && status !== "processing",
      ),
    async list(query = "") {
      return jobList.parse(await (await stack.request(own, "GET", `/v1/jobs${query}`)).json());
    },
    cancel: (jobId) => stack.request(own, "DELETE", `/v1/jobs/${jobId}`),
    async money() {
      const response = await stack.request(own, "GET", "/v1/account");
      const { balance_eur, held_eur = "" } = account.parse(await response.json());
      return { balance_eur, held_eur };
    },
  };
}

/** Parses the body of an error response. */
export async function readError(response: Response): Promise<ErrorBody> {
  return errorBody.parse(await response.json());
}
