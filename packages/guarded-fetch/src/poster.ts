import { createGuardedCaller, type CallerOptions } from "./caller.ts";

export interface PostResult {
  readonly status: number;
}

/** Sends requests to URLs that clients have chosen. */
export interface GuardedPoster {
  /**
   * Sends JSON to an untrusted URL and reads up to the limit of the response, which is dropped. Follows
   * no redirect.
   *
   * @throws GuardedRequestError for every failure without a response; its message contains neither the
   *   URL nor an address.
   * @throws the signal's reason when the caller aborts.
   */
  post(
    url: string,
    request: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
    signal: AbortSignal,
  ): Promise<PostResult>;
}

const userAgent = "Atelier/1.0 (webhooks)";

/** Creates the sender of all requests to URLs that clients have chosen. */
export function createGuardedPoster(options: CallerOptions): GuardedPoster {
  const caller = createGuardedCaller(options);
  return {
    async post(url, { headers, body }, signal) {
      const all = { ...headers, "user-agent": userAgent, "content-type": "application/json" };
      const { status } = await caller.send(url, { method: "POST", headers: all, body }, signal);
      return { status };
    },
  };
}
