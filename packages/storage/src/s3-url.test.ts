import { describe, expect, test } from "vitest";

import { parseS3Url } from "./s3-url.ts";

describe("an s3:// URL", () => {
  test("holds everything, percent-encoded", () => {
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

  test("needs no more than keys, host and bucket", () => {
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

  test.each([
    ["s3://key:se/cret@host/bucket", "percent-encoded"],
    ["s3://key:s%zz@host/bucket", "percent-encoded"],
    ["s3://host/bucket", "lacks the access key"],
    ["s3://key:s@host/", "names no bucket"],
    ["s3://key:s@host/bucket/folder", "names no bucket"],
    ["s3://key:s@host/bucket?tls=no", "tls"],
    ["s3://key:s@host/bucket?regoin=x", "unknown regoin"],
    ["s3://key:s@host/bucket?public=https://a.example/path", "not an origin"],
    ["s3://key:s@host/bucket?public=a.example", "not an origin"],
    ["s3://", "names no host"],
  ])("%s is refused", (url, problem) => {
    expect(() => parseS3Url(url)).toThrow(problem);
  });

  test("is not repeated in the error, secret and all", () => {
    expect(() => parseS3Url("s3://key:topsecret@host/?tls=false")).toThrow(/^((?!topsecret).)*$/);
  });
});
