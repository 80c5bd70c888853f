import { describe, expect, test } from "vitest";

import { parseS3Url } from "./s3-url.ts";

describe("an s3:// URL", () => {
  test("parses all parameters and decodes them", () => {
    const url =
      "s3://test%3Atester:a%2Fb%2Bc%40@10.0.0.7:9000/my-bucket?tls=false&region=eu-west-1" +
      "&public=https%3A%2F%2Fimages.example.com%3A8443";
    expect(parseS3Url(url)).toEqual({
      accessKey: "test:tester",
      secretKey: "a/b+c@",
      endpoint: { host: "10.0.0.7", port: 9000, tls: false },
      bucket: "my-bucket",
      region: "eu-west-1",
      publicEndpoint: { host: "images.example.com", port: 8443, tls: true },
    });
  });

  test("requires only keys, host and bucket", () => {
    const endpoint = { host: "s3.example.com", port: undefined, tls: true };
    expect(parseS3Url("s3://key:secret@s3.example.com/my-bucket")).toEqual({
      accessKey: "key",
      secretKey: "secret",
      endpoint,
      bucket: "my-bucket",
      region: "us-east-1",
      publicEndpoint: endpoint,
    });
  });

  test("parses IPv6 addresses and removes the brackets", () => {
    const url = "s3://key:secret@[2001:db8::1]:9000/my-bucket?public=https://[2001:db8::2]";
    expect(parseS3Url(url)).toMatchObject({
      endpoint: { host: "2001:db8::1", port: 9000 },
      publicEndpoint: { host: "2001:db8::2", port: undefined },
    });
  });

  test.each([
    ["s3://key:se/cret@host/bucket", "percent-encoded"],
    ["s3://key:s%zz@host/bucket", "percent-encoded"],
    ["s3://host/bucket", "has no access key"],
    ["s3://key:s@host/", "has no valid bucket name"],
    ["s3://key:s@host/bucket/folder", "has no valid bucket name"],
    ["s3://key:s@host/bucket?tls=no", "tls"],
    ["s3://key:s@host/bucket?regoin=x", "unknown parameter regoin"],
    ["s3://key:s@host/bucket?public=https://a.example/path", "an origin such as"],
    ["s3://key:s@host/bucket?public=a.example", "an origin such as"],
    ["s3://", "has no host"],
  ])("rejects %s", (url, problem) => {
    expect(() => parseS3Url(url)).toThrow(problem);
  });

  test("does not repeat the URL in errors", () => {
    expect(() => parseS3Url("s3://key:topsecret@host/?tls=false")).toThrow(/^((?!topsecret).)*$/);
  });
});
