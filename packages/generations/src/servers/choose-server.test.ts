import { describe, expect, it } from "vitest";
import { chooseServer, type ServerState } from "./choose-server.ts";

const flux = { model: "flux", loras: "" };
const sdxl = { model: "sdxl", loras: "" };
const measured = { imageMs: 1_000, loadMs: 8_000, lorasMs: 500 };
const speeds = new Map([
  ["flux", measured],
  ["sdxl", measured],
]);

function server(url: string, facts: Partial<ServerState> = {}): ServerState {
  return {
    url,
    weight: 1,
    loaded: flux,
    calls: [],
    jobsOfOthers: 0,
    busyMs: 0,
    speeds,
    ...facts,
  };
}

/** Calls with the loaded model. */
const calls = (count: number, needs = flux) =>
  Array.from({ length: count }, () => ({ ...needs, loads: "nothing" as const, runningMs: 0 }));

describe("the chosen server", () => {
  it.each<[string, readonly ServerState[], string]>([
    [
      "has the fewest calls",
      [server("a", { calls: calls(2) }), server("b", { calls: calls(1) })],
      "b",
    ],
    ["is the first of equal ones", [server("a"), server("b")], "a"],
    [
      "has the model loaded, although it has more to do",
      [server("a", { loaded: sdxl }), server("b", { calls: calls(7) })],
      "b",
    ],
    [
      "loads the model when waiting takes longer than loading it and the replaced one",
      [server("a", { loaded: sdxl }), server("b", { calls: calls(17) })],
      "a",
    ],
    [
      "does not replace the only copy of another model before",
      [server("a", { loaded: sdxl }), server("b", { calls: calls(15) })],
      "b",
    ],
    [
      "replaces a model that another server has when waiting takes longer than loading",
      [
        server("a", { loaded: sdxl }),
        server("b", { calls: calls(9) }),
        server("c", { loaded: sdxl, calls: calls(30, sdxl) }),
      ],
      "a",
    ],
    [
      "has the model after the calls before, whatever it has loaded now",
      [
        server("a", { calls: calls(1, sdxl) }),
        server("b", { loaded: sdxl, calls: calls(2, flux) }),
      ],
      "b",
    ],
    [
      "has the LoRAs, when it is as busy as others",
      [server("a", { loaded: { model: "flux", loras: "ink" } }), server("b")],
      "b",
    ],
    [
      "changes LoRAs rather than waiting",
      [server("a", { loaded: { model: "flux", loras: "ink" } }), server("b", { calls: calls(1) })],
      "a",
    ],
    [
      "is faster, although it has more to do",
      [
        server("a", {
          calls: calls(1),
          speeds: new Map([["flux", { ...measured, imageMs: 4_000 }]]),
        }),
        server("b", { calls: calls(3) }),
      ],
      "b",
    ],
    [
      "has no jobs of other clients",
      [server("a", { jobsOfOthers: 2 }), server("b", { calls: calls(1) })],
      "b",
    ],
    [
      "has not asked to wait",
      [server("a", { busyMs: 5_000 }), server("b", { calls: calls(3) })],
      "b",
    ],
    [
      "has the greater weight until its wait exceeds it",
      [server("a", { weight: 4, calls: calls(2) }), server("b")],
      "a",
    ],
    [
      "is assumed to be as fast as the others before it is measured",
      [server("a", { calls: calls(1) }), server("new", { speeds: new Map() })],
      "new",
    ],
    [
      "is nearly done with a long image",
      [
        server("a", { calls: [{ ...flux, loads: "nothing", runningMs: 950 }] }),
        server("b", { calls: calls(1) }),
      ],
      "a",
    ],
  ])("%s", (_, servers, expected) => {
    expect(chooseServer(servers, flux)?.url).toBe(expected);
  });

  it("is null without a server", () => {
    expect(chooseServer([], flux)).toBeNull();
  });
});

it("adds up what a server has accepted, a load and the image", () => {
  const busy = server("a", {
    loaded: sdxl,
    calls: [
      { ...sdxl, loads: "nothing", runningMs: 400 },
      { ...flux, loads: "model", runningMs: 0 },
    ],
  });
  // 600 ms of the running image, 9 s for the next one with its load, and a load and the image.
  expect(chooseServer([busy], sdxl)).toEqual({ url: "a", loads: "model", expectedMs: 18_600 });
});

it("gives each of two models a server of its own while nothing is measured", () => {
  const fresh = { loaded: null, speeds: new Map() };
  const first = chooseServer([server("a", fresh), server("b", fresh)], flux);
  expect(first).toMatchObject({ url: "a", loads: "model" });
  const placed = [{ ...flux, loads: "model" as const, runningMs: 0 }];
  const servers = [server("a", { ...fresh, calls: placed }), server("b", fresh)];
  expect(chooseServer(servers, sdxl)).toMatchObject({ url: "b", loads: "model" });
});

it("compares no measured load with an image that is not measured yet", () => {
  const first = new Map([["flux", { imageMs: null, loadMs: 5_100, lorasMs: null }]]);
  const busy = server("a", { speeds: first, calls: calls(7) });
  const other = server("b", { loaded: sdxl, speeds: new Map() });
  expect(chooseServer([busy, other], flux)).toMatchObject({ url: "a", loads: "nothing" });
});

describe("images that wait for a worker", () => {
  const idle = server("idle", { loaded: null });
  const waiting = (count: number, model = "flux") => new Map([[model, count]]);

  it("let another server load their model when that is faster for all of them", () => {
    const servers = [server("a"), server("b"), idle];
    expect(chooseServer(servers, flux, waiting(14))).toMatchObject({ url: "a" });
    expect(chooseServer(servers, flux, waiting(18))).toMatchObject({ url: "idle", loads: "model" });
  });

  it("do not make a server give up the only copy of another model", () => {
    const servers = [server("a"), server("b", { loaded: sdxl })];
    expect(chooseServer(servers, flux, waiting(500))).toMatchObject({ url: "a" });
  });

  it("leave two models on their servers when both have as many", () => {
    const servers = [server("a"), server("b", { loaded: sdxl })];
    const both = new Map([
      ["flux", 500],
      ["sdxl", 500],
    ]);
    expect(chooseServer(servers, flux, both)).toMatchObject({ url: "a" });
    expect(chooseServer(servers, sdxl, both)).toMatchObject({ url: "b" });
  });
});

it("takes the durations of other models for a model that is not measured yet", () => {
  const fluxOnly = new Map([["flux", { imageMs: 200, loadMs: 5_000, lorasMs: 100 }]]);
  const servers = [
    server("a", { speeds: fluxOnly }),
    server("b", { loaded: sdxl, calls: calls(6, sdxl), speeds: new Map() }),
  ];
  expect(chooseServer(servers, sdxl)).toEqual({ url: "b", loads: "nothing", expectedMs: 1_400 });
});
