import { UsageError } from "@atelier/configuration";
import { expect, it } from "vitest";
import { readSettings } from "./settings.ts";

it("starts two of each by default, on Redis and S3", () => {
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

it("stores images as files when other machines may connect", () => {
  expect(readSettings(["--host", "0.0.0.0"])).toMatchObject({ storage: "files" });
  expect(readSettings(["--host", "127.0.0.2"])).toMatchObject({ storage: "s3" });
});

it.each([
  [["--host", "0.0.0.0", "--storage", "s3"], "Use --storage files, or set STORAGE_URL"],
  [["--workers", "many"], "--workers"],
  [["--apis", "0"], "--apis"],
  [["--queue", "kafka"], "--queue must be redis or postgres"],
  [["--workres", "2"], "--workres"],
])("explains why %j is invalid", (args, problem) => {
  expect(() => readSettings(args)).toThrow(UsageError);
  expect(() => readSettings(args)).toThrow(problem);
});
