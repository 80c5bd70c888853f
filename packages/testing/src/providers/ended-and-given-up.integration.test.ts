import type { Provider } from "@atelier/models";
import { afterEach, describe, expect, test } from "vitest";
import { blackForestLabsContract } from "./black-forest-labs/contract.ts";
import { callAdapter } from "./call-adapter.ts";
import { comfyUiContract } from "./comfyui/contract.ts";
import type { ProviderContract } from "./contract/provider-contract.ts";
import { falContract } from "./fal/contract.ts";
import { startProtocolServer, type ProtocolServer, type Reply } from "./protocol-server.ts";
import { replicateContract } from "./replicate/contract.ts";
import { sdcppContract } from "./sdcpp/contract.ts";

const running = new Set<ProtocolServer>();
afterEach(async () => {
  for (const server of running) await server.close();
  running.clear();
});

async function keep(starting: Promise<ProtocolServer>): Promise<ProtocolServer> {
  const server = await starting;
  running.add(server);
  return server;
}

function create(contract: ProviderContract, url: string): Provider {
  return contract.create({ url, apiKey: contract.apiKey ?? "", limits: {} });
}

describe("a job that nobody wants any more", () => {
  const cancels = [
    { contract: falContract, cancel: /^PUT \/fal-ai\/flux-2-pro\/requests\/[\w-]+\/cancel$/ },
    { contract: replicateContract, cancel: /^POST \/v1\/predictions\/\w+\/cancel$/ },
    { contract: sdcppContract, cancel: /^POST \/sdcpp\/v1\/jobs\/\w+\/cancel$/ },
    { contract: comfyUiContract, cancel: /^POST \/queue$/ },
  ];

  test.each(cancels)("$contract.name is told so when the time is up", async (row) => {
    const calls = await giveUp(row.contract, new DOMException("", "TimeoutError"));
    expect(calls.filter((call) => row.cancel.test(call))).toHaveLength(1);
  });

  test.each(cancels)("$contract.name is not told when the process ends", async (row) => {
    const calls = await giveUp(row.contract, new Error("stopping"));
    expect(calls.filter((call) => row.cancel.test(call))).toEqual([]);
  });

  test("ComfyUI is only interrupted while that very job runs", async () => {
    const server = await keep(comfyUiContract.start());
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
    // The order; waiting: history and queue; running: history.
    for (let arrivals = 0; arrivals < 4; arrivals += 1) await server.arrival();
    controller.abort(new DOMException("", "TimeoutError"));
    await outcome;

    const interruption = server.calls.find(({ path }) => path === "/interrupt");
    expect(JSON.parse(String(interruption?.body))).toEqual({ prompt_id: ids[0] });
  });

  /** Lets a job run, gives up for a reason, and says what arrived. */
  async function giveUp(contract: ProviderContract, reason: Error): Promise<readonly string[]> {
    const server = await keep(contract.start());
    server.behave({ kind: "slow-poll", polls: Number.POSITIVE_INFINITY });
    const controller = new AbortController();
    const outcome = callAdapter(create(contract, server.url), contract.request, {
      signal: controller.signal,
    });
    // The order, and the first question about it.
    await server.arrival();
    await server.arrival();
    controller.abort(reason);
    expect((await outcome).kind).toBe("unknown");
    return server.calls.map(({ method, path }) => `${method} ${path}`);
  }
});

describe("how a job ended", () => {
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
      "an input that the model does not take",
      falContract,
      fal(falError("image_too_large")),
      "invalid-request",
    ],
    [
      "a 422 that may be repeated",
      falContract,
      fal(falError("downstream_service_unavailable", { "x-fal-retryable": "true" })),
      "unavailable",
    ],
    [
      "an error of the model's own",
      falContract,
      fal(falError("internal_server_error", {}, 500)),
      "unavailable",
    ],
    [
      "a request cancelled elsewhere",
      falContract,
      fal({ status: 499, json: { detail: "cancelled", error_type: "client_cancelled" } }),
      "unavailable",
    ],
    ["a gateway's page", falContract, fal({ status: 502, bytes: Buffer.from("<p>") }), "unknown"],
    [
      "an input that the model calls invalid",
      replicateContract,
      prediction({ error: "The input was invalid (E006)" }),
      "invalid-request",
    ],
    [
      "all images withheld",
      replicateContract,
      prediction({ error: "All generated images contained NSFW content." }),
      "refused",
    ],
    [
      "out of memory",
      replicateContract,
      prediction({ error: "CUDA out of memory" }),
      "unavailable",
    ],
    ["cancelled elsewhere", replicateContract, prediction({ status: "canceled" }), "unavailable"],
    [
      "an output removed after an hour",
      replicateContract,
      prediction({ status: "succeeded" }),
      "unknown",
    ],
    [
      "ready without an image",
      blackForestLabsContract,
      () => ({ status: 200, json: { status: "Ready", result: null } }),
      "unknown",
    ],
    [
      "a job that has expired",
      sdcppContract,
      () => ({ status: 410, json: { error: "job expired" } }),
      "unavailable",
    ],
  ])("%s at $1.name", async (_what, contract, reply, expected) => {
    const server = await keep(startProtocolServer(({ url }) => reply(url.pathname)));
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
    "$name: is never asked, neither at once nor when the call is taken up again",
    async (contract) => {
      const stranger = await keep(startProtocolServer(() => ({ status: 200, json: {} })));
      const json = anywhere(stranger)[contract.name];
      const server = await keep(startProtocolServer(() => ({ status: 200, json })));
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
