import { inspect } from "node:util";
import sharp from "sharp";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { TestingOptions } from "./connect.ts";
import { noise, twoColours } from "./testing/images.ts";
import { publicAddress } from "./testing/internet.ts";
import { never, online, refusal } from "./testing/online.ts";
import { answering, redirecting, saying, sending } from "./testing/sites.ts";

const png = await twoColours().png({ compressionLevel: 1 }).toBuffer();
const jpeg = await noise().jpeg().toBuffer();
const webp = await twoColours().webp().toBuffer();

/**
 * The simulated internet with one address that refuses connections: no server listens on port 1.
 */
function closing(address: string, testing: TestingOptions): TestingOptions {
  const elsewhere = { host: "127.0.0.1", port: 1 };
  return {
    ...testing,
    route: (dialed) => (dialed === address ? elsewhere : (testing.route?.(dialed) ?? elsewhere)),
  };
}

describe("fetchImage fetches an image", () => {
  test.each([
    ["png", png, "image/png", "image/png"],
    ["jpeg", jpeg, "image/jpeg", "image/jpeg"],
    ["webp", webp, "image/webp", "image/jpeg"],
  ] as const)(
    "in the format %s, re-encoded and as original",
    async (_format, bytes, originalType, mediaType) => {
      const { fetcher } = await online({
        "site.example.org": sending(bytes, { "content-type": "text/html" }),
      });
      const image = await fetcher.fetchImage("https://site.example.org/", never);
      expect(image.mediaType).toBe(mediaType);
      expect(image.original.mediaType).toBe(originalType);
      expect(Buffer.from(image.original.bytes).equals(bytes)).toBe(true);
      expect(Buffer.from(image.bytes).equals(bytes)).toBe(false);
      const { width, height } = await sharp(image.bytes).metadata();
      expect({ width, height }).toEqual({ width: image.width, height: image.height });
    },
  );

  test("and rotates it upright", async () => {
    const turned = await twoColours().withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { fetcher } = await online({ "site.example.org": sending(turned) });
    const image = await fetcher.fetchImage("https://site.example.org/", never);
    expect(image).toMatchObject({ width: 20, height: 40 });
  });

  test.each([301, 302, 303, 307, 308])("after three redirects with status %i", async (status) => {
    const { fetcher, internet } = await online({
      "a.example.org": redirecting("https://b.example.org/x?y=1", status),
      "b.example.org": redirecting("//c.example.org/z", status),
      "c.example.org": {
        http: (request, response) =>
          request.url === "/z"
            ? response.writeHead(status, { location: "image" }).end()
            : response.end(png),
      },
    });
    const image = await fetcher.fetchImage("https://a.example.org/", never);
    expect(image.width).toBe(40);
    const requestedUrls = internet.seen.requests.map(({ headers, url }) => `${headers.host}${url}`);
    expect(requestedUrls).toEqual([
      "a.example.org/",
      "b.example.org/x?y=1",
      "c.example.org/z",
      "c.example.org/image",
    ]);
  });

  test("from a literal public address with a matching certificate", async () => {
    const { fetcher, internet } = await online({ [publicAddress]: sending(png) });
    await fetcher.fetchImage(`https://${publicAddress}/`, never);
    expect(internet.seen).toMatchObject({ lookups: [], dials: [publicAddress] });
  });

  test("from a name's second address if the first refuses connections", async () => {
    const { internet } = await online({
      "site.example.org": { ...sending(png), addresses: [["1.1.1.1", publicAddress]] },
    });
    const { fetcher } = await online({}, { testing: closing("1.1.1.1", internet.testing) });
    await fetcher.fetchImage("https://site.example.org/", never);
    expect(internet.seen.dials).toEqual([publicAddress]);
  });

  test("with only the necessary headers", async () => {
    const { fetcher, internet } = await online({
      "a.example.org": {
        http: (_request, response) =>
          response
            .writeHead(302, { location: "https://b.example.org/p?q=1", "set-cookie": "id=1" })
            .end(),
      },
      "b.example.org": sending(png),
    });
    await fetcher.fetchImage("https://a.example.org/first?secret=1#fragment", never);
    expect(internet.seen.requests.at(-1)).toMatchObject({ method: "GET", url: "/p?q=1" });
    expect(internet.seen.requests.at(-1)?.headers).toEqual({
      host: "b.example.org",
      connection: "close",
      accept: "image/png, image/jpeg, image/webp",
      "accept-encoding": "identity",
      "user-agent": "Atelier/1.0 (image fetcher)",
    });
  });

  test("without using a proxy from the environment", async () => {
    vi.stubEnv("HTTPS_PROXY", "http://127.0.0.1:1");
    vi.stubEnv("ALL_PROXY", "http://127.0.0.1:1");
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const { fetcher } = await online({ "site.example.org": sending(png) });
    expect((await fetcher.fetchImage("https://site.example.org/", never)).width).toBe(40);
  });
});

describe("errors reveal nothing about the internal network", () => {
  test("an internal name, an unknown name, a closed port and an invalid certificate give the same error", async () => {
    const { fetcher, internet } = await online({
      "internal.example.org": { addresses: [["10.1.2.3"]] },
      "mixed.example.org": { addresses: [[publicAddress, "10.1.2.3"]] },
      "self-signed.example.org": { certificate: "self-signed" },
      "redirecting.example.org": redirecting("https://internal.example.org/"),
      "open.example.org": sending(png),
      "metadata.example.org": redirecting("https://169.254.169.254/"),
    });
    const { fetcher: atClosedPort } = await online(
      {},
      { testing: closing(publicAddress, internet.testing) },
    );
    const errors = [
      await refusal(fetcher, "https://internal.example.org/"),
      await refusal(fetcher, "https://mixed.example.org/"),
      await refusal(fetcher, "https://unknown.example.org/"),
      await refusal(fetcher, "https://self-signed.example.org/"),
      await refusal(fetcher, "https://redirecting.example.org/"),
      await refusal(fetcher, "https://metadata.example.org/"),
      await refusal(fetcher, "https://10.1.2.3/"),
      await refusal(fetcher, "https://localhost/"),
      await refusal(atClosedPort, "https://open.example.org/"),
    ];
    const visibleErrors = errors.map(({ code, details, message, retryable }) =>
      JSON.stringify({ code, details, message, retryable }),
    );
    expect(new Set(visibleErrors).size).toBe(1);
    expect(new Set(internet.seen.dials)).toEqual(new Set([publicAddress]));
  });

  test("the URL is not in an error or its causes, which may be logged", async () => {
    const { fetcher } = await online({
      "canary-name.example.org": { ...sending(png), certificate: "other-name" },
      "canary-internal.example.org": { addresses: [["10.66.77.88"]] },
      "canary-redirect.example.org": redirecting("http://canary-target.example.org/"),
      "canary-reset.example.org": saying(""),
    });
    for (const url of [
      "https://canary-name.example.org/canary-path?canary-query",
      "https://canary-unknown.example.org/",
      "https://canary-internal.example.org/",
      "https://canary-redirect.example.org/",
      "https://canary-reset.example.org/",
      "https://canary-user:canary-password@example.org/",
    ]) {
      const written = inspect(await refusal(fetcher, url), { depth: 10, showHidden: true });
      expect(written).not.toMatch(/canary-(?!s)|10\.66|93\.184/);
    }
  });

  test("only timeouts, busy hosts, 5xx and lost connections are retryable", async () => {
    const { fetcher } = await online({
      "404.example.org": answering(404),
      "408.example.org": answering(408),
      "429.example.org": answering(429),
      "503.example.org": answering(503),
      "reset.example.org": saying(""),
      "text.example.org": sending(Buffer.from("text")),
    });
    const retryable = async (url: string) => (await refusal(fetcher, url)).retryable;
    expect(await retryable("https://408.example.org/")).toBe(true);
    expect(await retryable("https://429.example.org/")).toBe(true);
    expect(await retryable("https://503.example.org/")).toBe(true);
    expect(await retryable("https://reset.example.org/")).toBe(true);
    expect(await retryable("https://404.example.org/")).toBe(false);
    expect(await retryable("https://text.example.org/")).toBe(false);
    expect(await retryable("https://unknown.example.org/")).toBe(false);
  });
});

describe("fetchOriginal", () => {
  test("returns the bytes unchanged", async () => {
    const { fetcher, internet } = await online({
      "cdn.example.org": redirecting("https://files.example.org/result"),
      "files.example.org": sending(png),
    });
    const bytes = await fetcher.fetchOriginal("https://cdn.example.org/", never);
    expect(Buffer.from(bytes).equals(png)).toBe(true);
    // In particular, no API key of the provider.
    for (const { headers } of internet.seen.requests) {
      expect(Object.keys(headers).toSorted()).toEqual([
        "accept",
        "accept-encoding",
        "connection",
        "host",
        "user-agent",
      ]);
    }
  });

  test.each([
    ["over plain HTTP", "http://cdn.example.org/", "not_https"],
    ["on the local machine", "https://127.0.0.1/", "unreachable"],
    ["of a cloud's metadata service", "https://169.254.169.254/latest", "unreachable"],
    ["with another port", "https://cdn.example.org:8443/", "port_not_allowed"],
  ])("rejects a URL %s", async (_where, url, reason) => {
    const { fetcher, internet } = await online({ "cdn.example.org": sending(png) });
    await expect(fetcher.fetchOriginal(url, never)).rejects.toMatchObject({ reason });
    expect(internet.seen.dials).toEqual([]);
  });

  test("rejects a page instead of an image", async () => {
    const { fetcher } = await online({
      "cdn.example.org": sending(Buffer.from("<!doctype html>")),
    });
    const fetching = fetcher.fetchOriginal("https://cdn.example.org/", never);
    await expect(fetching).rejects.toMatchObject({ reason: "not_an_image" });
  });
});
