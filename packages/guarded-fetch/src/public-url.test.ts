import { AppError } from "@atelier/schemas";
import { describe, expect, test } from "vitest";
import hostileUrls from "../fixtures/hostile-urls.json" with { type: "json" };
import { assertPublicHttpsUrl, parsePublicHttpsUrl } from "./public-url.ts";

function refusalOf(url: string): AppError | undefined {
  try {
    assertPublicHttpsUrl(url);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

describe("assertPublicHttpsUrl rejects", () => {
  test.each(Object.entries(hostileUrls))("%s", (_kind, urls) => {
    expect(urls.filter((url) => refusalOf(url)?.code !== "reference_unreachable")).toEqual([]);
  });

  test("a URL of more than 8 KiB", () => {
    expect(refusalOf(`https://example.com/${"a".repeat(8192)}`)?.details).toEqual({
      reason: "malformed_url",
    });
  });
});

test.each([
  ["http://example.com/", "not_https"],
  ["https://example.com:8443/", "port_not_allowed"],
  ["https://user@example.com/", "credentials_not_allowed"],
  ["example.com/a.png", "malformed_url"],
  ["https://10.0.0.1/", "unreachable"],
  ["https://redis/", "unreachable"],
])("rejects %s with the reason %s, not retryable", (url, reason) => {
  const refusal = refusalOf(url);
  expect(refusal?.details).toEqual({ reason });
  expect(refusal?.retryable).toBe(false);
  expect(refusal?.message).not.toContain(new URL(url, "https://x").hostname);
});

test.each([
  ["https://example.com/a.png?sig=a%2Fb#frag", "example.com"],
  ["https://EXAMPLE.com:443/a.png", "example.com"],
  ["https://example.com./a.png", "example.com"],
  ["https://bücher.example.com/", "xn--bcher-kva.example.com"],
  ["https://a_b.s3.eu-central-1.amazonaws.com/k", "a_b.s3.eu-central-1.amazonaws.com"],
  ["https://93.184.215.14/", "93.184.215.14"],
  ["https://[2606:2800:21f::1]/", "[2606:2800:21f::1]"],
])("accepts %s with the host %s", (url, hostname) => {
  expect(refusalOf(url)).toBeUndefined();
  expect(parsePublicHttpsUrl(url).hostname).toBe(hostname);
});
