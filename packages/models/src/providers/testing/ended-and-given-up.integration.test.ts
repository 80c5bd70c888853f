import type { Provider } from "../../provider.ts";
import { afterEach, describe, expect, test } from "vitest";
import { blackForestLabsContract } from "../black-forest-labs/contract.ts";
import { callAdapter } from "./call-adapter.ts";
import { comfyUiContract } from "../comfyui/contract.ts";
import type { ProviderContract } from "./contract/provider-contract.ts";
import { inventedContract } from "../described/testing/invented-contract.ts";
import { falContract } from "../fal/contract.ts";
import { startProtocolServer, type ProtocolServer, type Reply } from "./protocol-server.ts";
import { replicateContract } from "../replicate/contract.ts";
import { sdcppContract } from "../sdcpp/contract.ts";

const running = new Set<ProtocolServer>();
afterEach(async () => {
  for (const server of running) await server.close();
  running.clear();
});

async function closeAfterTest(starting: Promise<ProtocolServer>): Promise<ProtocolServer> {
  const server = await starting;
  running.add(server);
  return server;
}

function create(contract: ProviderContract, url: string): Provider {
  return contract.create({ url, apiKey: contract.apiKey ?? "", limits: {} });
}

describe("an abandoned job", () => {
  const cancels = [
    { contract: falContract, cancel: /^PUT \/fal-ai\/flux-2-pro\/requests\/[\w-]+\/cancel$/ },
    { contract: replicateContract, cancel: /^POST \/v1\/predictions\/\w+\/cancel$/ },
    { contract: sdcppContract, cancel: /^POST \/sdcpp\/v1\/jobs\/\w+\/cancel$/ },
    { contract: comfyUiContract, cancel: /^POST \/queue$/ },
    { contract: inventedContract, cancel: /^DELETE \/v2\/jobs\/[\w-]+$/ },
  ];

  test.each(cancels)("$contract.name is cancelled on timeout", async (row) => {
    const calls = await giveUp(row.contract, new DOMException("", "TimeoutError"));
    expect(calls.filter((call) => row.cancel.test(call))).toHaveLength(1);
  });

  test.each(cancels)("$contract.name is not cancelled when the process shuts down", async (row) => {
    const calls = await giveUp(row.contract, new Error("stopping"));
    expect(calls.filter((call) => row.cancel.test(call))).toEqual([]);
  });

  test("ComfyUI is interrupted only while that job runs", async () => {
    const server = await closeAfterTest(comfyUiContract.start());
    server.behave({ kind: "slow-poll", polls: Number.POSITIVE_INFINITY });
    const controller = new AbortController();
    const ids: string[] = [];
    const outcome = callAdapter(
      create(comfyUiContract, server.url),
      {},
      {
        signal: controller.signal,
        onRequestId: (id) => Promise.resolve(void ids.push(id)),
      },
    );
    // The submission; while queued: history and queue; while running: history.
    for (let arrivals = 0; arrivals < 4; arrivals += 1) await server.arrival();
    controller.abort(new DOMException("", "TimeoutError"));
    await outcome;

    const interruption = server.calls.find(({ path }) => path === "/interrupt");
    expect(JSON.parse(String(interruption?.body))).toEqual({ prompt_id: ids[0] });
  });

  /** Lets a job run, aborts for a reason, and returns the requests that arrived. */
  async function giveUp(contract: ProviderContract, reason: Error): Promise<readonly string[]> {
    const server = await closeAfterTest(contract.start());
    server.behave({ kind: "slow-poll", polls: Number.POSITIVE_INFINITY });
    const controller = new AbortController();
    const outcome = callAdapter(create(contract, server.url), contract.request, {
      signal: controller.signal,
    });
    // The submission and the first poll.
    await server.arrival();
    await server.arrival();
    controller.abort(reason);
    expect((await outcome).kind).toBe("unknown");
    return server.calls.map(({ method, path }) => `${method} ${path}`);
  }
});

describe("the outcome of a job", () => {
  const fal = (reply: Reply) => (path: string) =>
    path.endsWith("/status") ? { status: 200, json: { status: "COMPLETED" } } : reply;
  const falError = (type: string, headers = {}, status = 422): Reply => ({
    status,
    headers,
    json: { detail: [{ loc: ["body"], msg: "no", type }] },
  });
  const prediction = (more: object) => () => ({
    status: 200,
    json: { id: "p1", status: "failed", output: null, error: null, ...more },
  });

  test.each<[string, ProviderContract, (path: string) => Reply, string]>([
    [
      "an input that the model rejects",
      falContract,
      fal(falError("image_too_large")),
      "invalid-request",
    ],
    [
      "a retryable 422",
      falContract,
      fal(falError("downstream_service_unavailable", { "x-fal-retryable": "true" })),
      "unavailable",
    ],
    [
      "a model-specific error",
      falContract,
      fal(falError("internal_server_error", {}, 500)),
      "unavailable",
    ],
    [
      "a request cancelled by another client",
      falContract,
      fal({ status: 499, json: { detail: "cancelled", error_type: "client_cancelled" } }),
      "unavailable",
    ],
    [
      "a gateway error page",
      falContract,
      fal({ status: 502, bytes: Buffer.from("<p>") }),
      "unknown",
    ],
    [
      "an input that the model reports as invalid",
      replicateContract,
      prediction({ error: "The input was invalid (E006)" }),
      "invalid-request",
    ],
    [
      "a result with all images withheld",
      replicateContract,
      prediction({ error: "All generated images contained NSFW content." }),
      "refused",
    ],
    [
      "an out-of-memory failure",
      replicateContract,
      prediction({ error: "CUDA out of memory" }),
      "unavailable",
    ],
    [
      "a prediction cancelled by another client",
      replicateContract,
      prediction({ status: "canceled" }),
      "unavailable",
    ],
    [
      "an output deleted after an hour",
      replicateContract,
      prediction({ status: "succeeded" }),
      "unknown",
    ],
    [
      "a ready job without an image",
      blackForestLabsContract,
      () => ({ status: 200, json: { status: "Ready", result: null } }),
      "unknown",
    ],
    [
      "an expired job",
      sdcppContract,
      () => ({ status: 410, json: { error: "job expired" } }),
      "unavailable",
    ],
  ])("reports %s at $1.name", async (_what, contract, reply, expected) => {
    const server = await closeAfterTest(startProtocolServer(({ url }) => reply(url.pathname)));
    const ids: Readonly<Record<string, string>> = {
      fal: ["/r/status", "/r", "/r/cancel"].map((path) => `${server.url}${path}`).join(" "),
      bfl: `${server.url}/poll?id=1`,
    };
    const outcome = await callAdapter(create(contract, server.url), contract.request, {
      resumeRequestId: ids[contract.name] ?? "p1",
    });
    expect(outcome.kind).toBe(expected);
  });
});

describe("a URL on a host that is not the provider's", () => {
  const anywhere = (host: ProtocolServer): Readonly<Record<string, object>> => ({
    bfl: { id: "1", polling_url: `${host.url}/v1/get_result?id=1` },
    fal: {
      request_id: "1",
      status_url: `${host.url}/status`,
      response_url: `${host.url}/`,
      cancel_url: `${host.url}/cancel`,
    },
  });

  test.each([blackForestLabsContract, falContract])(
    "$name: is never requested, neither in the first call nor when it is resumed",
    async (contract) => {
      const stranger = await closeAfterTest(startProtocolServer(() => ({ status: 200, json: {} })));
      const json = anywhere(stranger)[contract.name];
      const server = await closeAfterTest(startProtocolServer(() => ({ status: 200, json })));
      const provider = create(contract, server.url);
      const ids: string[] = [];

      const first = await callAdapter(provider, contract.request, {
        onRequestId: (id) => Promise.resolve(void ids.push(id)),
      });
      const again = await callAdapter(provider, contract.request, {
        resumeRequestId: ids[0] ?? null,
      });

      expect([first.kind, again.kind]).toEqual(["unknown", "unknown"]);
      expect(stranger.calls).toEqual([]);
    },
  );
});
