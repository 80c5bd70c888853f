import { expect, it } from "vitest";
import { CallEnded } from "./call-ended.ts";
import { fetchImage } from "./fetch-result.ts";

const url = "https://results.example.com/1.png?signature=secret";

it.each([
  ["the fetcher's reason", { name: "Refused", reason: "timeout" }, "timeout"],
  ["the network error code", { name: "Error", code: "ECONNRESET" }, "ECONNRESET"],
  ["the error name as a last resort", { name: "TimeoutError" }, "TimeoutError"],
])("reports a failed image download by %s, without the URL", async (_, facts, says) => {
  const fail = () => Promise.reject(Object.assign(new Error(`GET ${url}`), facts));
  const error = await fetchImage(url, new AbortController().signal, fail).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(CallEnded);
  expect(error).toMatchObject({
    outcome: { kind: "unknown", message: `the image could not be fetched: ${says}` },
  });
});
