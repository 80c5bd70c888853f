import { UsageError } from "@atelier/configuration";
import { expect, it } from "vitest";
import { readSettings } from "./settings.ts";

it("has two of each, on Redis and S3, unless told otherwise", () => {
  expect(readSettings([])).toEqual({
    apis: 2,
    workers: 2,
    queue: "redis",
    storage: "s3",
    host: "127.0.0.1",
    port: 3_000,
    json: false,
  });
  expect(
    readSettings(["--workers", "8", "--queue", "postgres", "--storage", "files", "--json"]),
  ).toMatchObject({ workers: 8, queue: "postgres", storage: "files", json: true });
  expect(readSettings(["-h"])).toBeNull();
});

it.each([
  [["--workers", "many"], "--workers"],
  [["--apis", "0"], "--apis"],
  [["--queue", "kafka"], "--queue must be redis or postgres"],
  [["--workres", "2"], "--workres"],
])("says what is wrong with %j", (args, problem) => {
  expect(() => readSettings(args)).toThrow(UsageError);
  expect(() => readSettings(args)).toThrow(problem);
});
