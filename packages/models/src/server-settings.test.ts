import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadCatalogue } from "./catalogue.ts";
import { loadProviders } from "./provider-settings.ts";

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-servers-"));
});
afterAll(() => rm(directory, { recursive: true }));

async function load(box: object) {
  const file = join(directory, `${crypto.randomUUID()}.json`);
  await writeFile(file, JSON.stringify({ providers: { box: { kind: "sdcpp", ...box } } }));
  return loadProviders({ file, keys: {}, environment: {} });
}

async function settingsOf(box: object) {
  const { usable } = await load(box);
  return usable.find(({ name }) => name === "box");
}

const model = {
  id: "our-flux",
  name: "Our FLUX",
  description: "On our own machines.",
  provider_model: "flux",
  supports_multiturn: false,
  max_reference_images: 0,
  aspect_ratios: ["1:1"],
  default_aspect_ratio: "1:1",
  default_image_size: "1K",
  prices_eur: { "1K": "0.005" },
  retires_at: null,
  successor: null,
};

describe("base_urls", () => {
  it("lists servers with their defaults", async () => {
    const urls = [
      { url: "http://10.0.0.5:1234/" },
      { url: "http://gpus.internal:1234", every_address: true, weight: 2, concurrency: 1 },
    ];
    expect(await settingsOf({ base_urls: urls })).toMatchObject({
      baseUrl: "http://10.0.0.5:1234",
      servers: [
        {
          url: "http://10.0.0.5:1234",
          isEveryAddress: false,
          weight: 1,
          concurrency: 2,
          tags: [],
        },
        {
          url: "http://gpus.internal:1234",
          isEveryAddress: true,
          weight: 2,
          concurrency: 1,
          tags: [],
        },
      ],
    });
  });

  it("is absent for one base_url", async () => {
    const settings = await settingsOf({ base_url: "http://10.0.0.5:1234" });
    expect(settings).toMatchObject({ baseUrl: "http://10.0.0.5:1234", servers: null });
  });

  const one = { url: "http://10.0.0.5:1234" };
  it.each<[string, object, RegExp]>([
    ["an empty list", { base_urls: [] }, /providers\.box\.base_urls/],
    [
      "base_url beside it",
      { base_url: one.url, base_urls: [one] },
      /providers\.box\.base_urls cannot be given beside base_url/,
    ],
    [
      "a vendor",
      { kind: "gemini", base_urls: [one] },
      /providers\.box\.base_urls is only for the kinds openai-compatible, sdcpp, comfyui/,
    ],
    ["neither", {}, /providers\.box\.base_url is required, or base_urls for several servers/],
    [
      "a server twice",
      { base_urls: [one, { url: `${one.url}/` }] },
      /column \d+: providers\.box\.base_urls\.1\.url repeats http:\/\/10\.0\.0\.5:1234/,
    ],
    [
      "a password",
      { base_urls: [{ url: "http://me:secret@10.0.0.5:1234" }] },
      /providers\.box\.base_urls\.0\.url must not have a user or a password/,
    ],
    [
      "another scheme",
      { base_urls: [{ url: "ftp://10.0.0.5" }] },
      /base_urls\.0\.url must be an http:\/\/ or https:\/\/ URL/,
    ],
    [
      "a weight of zero",
      { base_urls: [{ ...one, weight: 0 }] },
      /providers\.box\.base_urls\.0\.weight/,
    ],
    [
      "a concurrency of zero",
      { base_urls: [{ ...one, concurrency: 0 }] },
      /providers\.box\.base_urls\.0\.concurrency/,
    ],
    [
      "an unknown setting",
      { base_urls: [{ ...one, wait: 1 }] },
      /providers\.box\.base_urls\.0\.wait is unknown/,
    ],
    [
      "the addresses of an address",
      { base_urls: [{ ...one, every_address: true }] },
      /base_urls\.0\.every_address needs an http:\/\/ URL with a host name/,
    ],
    [
      "the addresses of an https:// URL",
      { base_urls: [{ url: "https://gpus.internal", every_address: true }] },
      /needs an http:\/\/ URL with a host name/,
    ],
  ])("is rejected with %s, naming the location", async (_, box, message) => {
    await expect(load(box)).rejects.toThrow(message);
  });
});

describe("server_tags", () => {
  const boxWith = (tags: string[], server_tags: string[]) =>
    load({
      base_urls: [{ url: "http://10.0.0.5:1234" }, { url: "http://10.0.0.6:1234", tags }],
      models: [{ ...model, server_tags }],
    });

  it("are accepted when a server has all of them", async () => {
    const providers = await boxWith(["24gb", "flux"], ["flux", "24gb"]);
    const catalogue = await loadCatalogue(undefined, providers);
    expect(catalogue.find("our-flux").server_tags).toEqual(["flux", "24gb"]);
  });

  it("stop the start when no server has all of them", async () => {
    await expect(
      loadCatalogue(undefined, await boxWith(["24gb"], ["24gb", "flux"])),
    ).rejects.toThrow("no server of base_urls has the server_tags of our-flux (24gb, flux).");
  });

  it("stop the start for a provider with one server", async () => {
    const models = [{ ...model, server_tags: ["24gb"] }];
    const providers = await load({ base_url: "http://10.0.0.5:1234", models });
    await expect(loadCatalogue(undefined, providers)).rejects.toThrow("server_tags of our-flux");
  });
});
