import { describe, expect, test } from "vitest";
import hostileUrls from "../fixtures/hostile-urls.json" with { type: "json" };
import refusedAddresses from "../fixtures/refused-addresses.json" with { type: "json" };
import { twoColours } from "./testing/images.ts";
import { publicAddress, type Site } from "./testing/internet.ts";
import { never, online, refusal } from "./testing/online.ts";
import { answering, redirecting, sending } from "./testing/sites.ts";

const png = await twoColours().png().toBuffer();

describe("hostile URLs lead to no connection", () => {
  test.each(Object.entries(hostileUrls))("requested by the client: %s", async (_kind, urls) => {
    const { fetcher, internet } = await online({ "example.com": sending(png) });
    for (const url of urls) {
      const { code } = await refusal(fetcher, url);
      expect({ url, code }).toEqual({ url, code: "reference_unreachable" });
    }
    expect(internet.seen).toEqual({ lookups: [], dials: [], requests: [] });
    expect(internet.connectionCount()).toBe(0);
  });

  // A relative redirect stays on the public site, and headers are ASCII only.
  const redirectTargets = Object.entries(hostileUrls).map(
    ([kind, urls]) =>
      [kind, urls.filter((url) => /^(?!https:\/?[^/])[a-z-]+:[\x21-\x7e]*$/i.test(url))] as const,
  );
  test.each(redirectTargets)("redirected to: %s", async (_kind, urls) => {
    const { fetcher, internet } = await online({
      "site.example.org": {
        http: (request, response) =>
          response.writeHead(302, { location: urls[Number(request.url?.slice(1))] }).end(),
      },
      "example.com": sending(png),
    });
    for (const [index, url] of urls.entries()) {
      const error = await refusal(fetcher, `https://site.example.org/${index}`);
      const [code, connections] = [error.code, internet.connectionCount()];
      expect({ url, code, connections }).toEqual({
        url,
        code: "reference_unreachable",
        connections: index + 1,
      });
    }
    expect(new Set(internet.seen.lookups)).toEqual(new Set(["site.example.org"]));
    expect(new Set(internet.seen.dials)).toEqual(new Set([publicAddress]));
  });

  const mixtures = [
    ["alone", (address: string) => [address]],
    ["before a public address", (address: string) => [address, publicAddress]],
    ["after a public address", (address: string) => [publicAddress, address]],
  ] as const;
  describe.each(mixtures)("a name with a refused address %s", (_where, answer) => {
    test.each(Object.entries(refusedAddresses))("%s", async (_kind, addresses) => {
      const names = addresses.map((_address, index) => `evil-${index}.example.org`);
      const refusedSites = addresses.map((address, index): [string, Site] => [
        names[index] ?? "",
        { ...sending(png), addresses: [answer(address)] },
      ]);
      const { fetcher, internet } = await online({
        ...Object.fromEntries(refusedSites),
        "site.example.org": {
          http: (request, response) =>
            response.writeHead(302, { location: `https:/${request.url}` }).end(),
        },
      });
      for (const name of names) {
        const error = await refusal(fetcher, `https://${name}/`);
        expect(error.details).toEqual({ reason: "unreachable" });
      }
      expect(internet.seen.lookups).toEqual(names);
      expect(internet.connectionCount()).toBe(0);
      for (const name of names) {
        const error = await refusal(fetcher, `https://site.example.org/${name}`);
        expect(error.details).toEqual({ reason: "unreachable" });
      }
      expect(internet.connectionCount()).toBe(names.length);
      expect(new Set(internet.seen.dials)).toEqual(new Set([publicAddress]));
    });
  });

  test("a name that resolves to nothing", async () => {
    const { fetcher, internet } = await online({ "site.example.org": { addresses: [[]] } });
    expect((await refusal(fetcher, "https://site.example.org/")).details).toEqual({
      reason: "unreachable",
    });
    expect(internet.connectionCount()).toBe(0);
  });

  test("a network that the operator refuses", async () => {
    const { fetcher, internet } = await online(
      { "site.example.org": sending(png) },
      { refusedNetworks: ["93.184.215.0/24"] },
    );
    for (const host of ["site.example.org", publicAddress]) {
      expect((await refusal(fetcher, `https://${host}/`)).details).toEqual({
        reason: "unreachable",
      });
    }
    expect(internet.connectionCount()).toBe(0);
  });
});

describe("on a network with DNS64", () => {
  const wrapped = `64:ff9b::${publicAddress}`;

  test.each([
    ["is reached through NAT64", [wrapped], [wrapped]],
    [
      "is reached by its IPv4 address where that is known",
      [wrapped, publicAddress],
      [publicAddress],
    ],
  ])("a host with an IPv4 address only %s", async (_how, addresses, dials) => {
    const { fetcher, internet } = await online({
      "site.example.org": { ...sending(png), addresses: [addresses] },
    });
    await fetcher.fetchImage("https://site.example.org/", never);
    expect(internet.seen.dials).toEqual(dials);
  });

  test.each([
    ["private", ["64:ff9b::10.0.0.1"], {}],
    ["private next to a public one", ["64:ff9b::a9fe:a9fe", publicAddress], {}],
    ["in a refused network", [wrapped], { refusedNetworks: ["93.184.215.0/24"] }],
    ["behind a refused NAT64 prefix", [wrapped], { refusedNetworks: ["64:ff9b::/96"] }],
  ])("rejects a wrapped address that is %s", async (_what, addresses, options) => {
    const { fetcher, internet } = await online(
      { "site.example.org": { ...sending(png), addresses: [addresses] } },
      options,
    );
    const { details } = await refusal(fetcher, "https://site.example.org/");
    expect(details).toEqual({ reason: "unreachable" });
    expect(internet.connectionCount()).toBe(0);
  });

  test("rejects a wrapped address in a client's URL", async () => {
    const { fetcher, internet } = await online({});
    expect((await refusal(fetcher, `https://[${wrapped}]/`)).details).toEqual({
      reason: "unreachable",
    });
    expect(internet.connectionCount()).toBe(0);
  });
});

describe("DNS rebinding is prevented", () => {
  test("a name is resolved once, and the checked address is dialled", async () => {
    const { fetcher, internet } = await online({
      "rebinding.example.org": { ...sending(png), addresses: [[publicAddress], ["127.0.0.1"]] },
    });
    await fetcher.fetchImage("https://rebinding.example.org/", never);
    expect(internet.seen.lookups).toEqual(["rebinding.example.org"]);
    expect(internet.seen.dials).toEqual([publicAddress]);
  });

  test("a name is resolved and checked again for a second request", async () => {
    const { fetcher, internet } = await online({
      "rebinding.example.org": { ...sending(png), addresses: [[publicAddress], ["127.0.0.1"]] },
    });
    await fetcher.fetchImage("https://rebinding.example.org/", never);
    await refusal(fetcher, "https://rebinding.example.org/");
    expect(internet.seen.requests).toHaveLength(1);
    expect(internet.seen.dials).toEqual([publicAddress]);
  });

  test("a name is resolved and checked again after a redirect to itself", async () => {
    const { fetcher, internet } = await online({
      "rebinding.example.org": {
        ...redirecting("/again"),
        addresses: [[publicAddress], ["169.254.169.254"]],
      },
    });
    const error = await refusal(fetcher, "https://rebinding.example.org/");
    expect(error.details).toEqual({ reason: "unreachable" });
    expect(internet.seen.requests).toHaveLength(1);
    expect(internet.seen.dials).toEqual([publicAddress]);
  });
});

describe("redirects are refused", () => {
  test("after three", async () => {
    const { fetcher, internet } = await online({
      "site.example.org": {
        http: (request, response) => {
          const step = Number(request.url?.slice(1));
          if (step === 4) response.end(png);
          else response.writeHead(302, { location: `/${step + 1}` }).end();
        },
      },
    });
    const error = await refusal(fetcher, "https://site.example.org/0");
    expect(error.details).toEqual({ reason: "too_many_redirects" });
    expect(internet.seen.requests.map(({ url }) => url)).toEqual(["/0", "/1", "/2", "/3"]);
  });

  test("in a circle", async () => {
    const { fetcher, internet } = await online({
      "a.example.org": redirecting("https://b.example.org/"),
      "b.example.org": redirecting("https://a.example.org/"),
    });
    const error = await refusal(fetcher, "https://a.example.org/");
    expect(error.details).toEqual({ reason: "too_many_redirects" });
    expect(internet.seen.requests).toHaveLength(4);
  });

  test("to HTTP, another port, or with credentials", async () => {
    for (const target of [
      "http://site.example.org/",
      "https://site.example.org:8443/",
      "https://user:secret@site.example.org/",
      "file:///etc/passwd",
    ]) {
      const { fetcher, internet } = await online({ "site.example.org": redirecting(target) });
      const error = await refusal(fetcher, "https://site.example.org/");
      expect(error.details).toEqual({ reason: "redirect_refused" });
      expect(internet.connectionCount()).toBe(1);
    }
  });

  test("without a location", async () => {
    const { fetcher } = await online({
      "site.example.org": answering(302),
    });
    const error = await refusal(fetcher, "https://site.example.org/");
    expect(error.details).toEqual({ reason: "status_not_ok" });
  });
});
