import { expect, it } from "vitest";
import { CallEnded } from "./call-ended.ts";
import { fetchImage } from "./fetch-result.ts";

const url = "https://results.example.com/1.png?signature=secret";

it.each([
  ["the reason of a fetcher that has one", { name: "Refused", reason: "timeout" }, "timeout"],
  ["the code of a network", { name: "Error", code: "ECONNRESET" }, "ECONNRESET"],
  ["the name, where there is nothing else", { name: "TimeoutError" }, "TimeoutError"],
])("an image that is lost tells the operator %s, and not its URL", async (_, facts, says) => {
  const fail = () => Promise.reject(Object.assign(new Error(`GET ${url}`), facts));
  const lost = await fetchImage(url, new AbortController().signal, fail).catch((e: unknown) => e);
  expect(lost).toBeInstanceOf(CallEnded);
  expect(lost).toMatchObject({
    outcome: { kind: "unknown", message: `the image could not be fetched: ${says}` },
  });
});
