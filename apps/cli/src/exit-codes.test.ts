import { readFile } from "node:fs/promises";
import * as client from "@atelier/client";
import { ConfigError, UsageError } from "@atelier/configuration";
import { CommanderError } from "commander";
import { expect, it } from "vitest";
import { NotSavedError } from "./calls/not-saved-error.ts";
import { adviceFor, exitCodeOf, exitCodes, InterruptedError } from "./exit-codes.ts";

it.each([
  [1, new Error("anything else")],
  [2, new CommanderError(1, "commander.unknownOption", "unknown option")],
  [2, new UsageError("no such file")],
  [2, new ConfigError("ATELIER_URL")],
  [2, new client.InvalidRequestError("invalid_argument", "")],
  [3, new client.NotAuthorizedError("unauthorized", "")],
  [4, new client.InsufficientCreditError("insufficient_credit", "")],
  [5, new client.InvalidRequestError("invalid_request", "")],
  [5, new client.NotFoundError("model_not_found", "")],
  [5, new client.ConflictError("job_not_cancellable", "")],
  [6, new client.RefusedError("content_illegal", "")],
  [7, new client.RateLimitError("rate_limited", "")],
  [8, new client.ServiceError("internal_error", "")],
  [8, new client.ConnectionError("connection_failed", "")],
  [9, new client.IntegrityError("hash_mismatch", "")],
  [9, new NotSavedError("j-1", new client.IntegrityError("hash_mismatch", ""))],
  [130, new InterruptedError("")],
])("the exit code is %i for %s", (code, error) => {
  expect(exitCodeOf(error)).toBe(code);
});

it("the exit code is 0 for requested help", () => {
  expect(exitCodeOf(new CommanderError(0, "commander.helpDisplayed", ""))).toBe(0);
});

it("advises to report the request id of a service error", () => {
  const failure = new client.ServiceError("internal_error", "", { requestId: "r-7" });
  expect(adviceFor(failure, "atelier")).toContain("r-7");
  expect(adviceFor(new client.RefusedError("content_illegal", ""), "atelier")).toBeNull();
});

it("docs/cli.md lists exactly these exit codes", async () => {
  const page = await readFile(new URL("../../../docs/cli.md", import.meta.url), "utf8");
  const documented = [...page.matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => Number(code));
  expect(documented).toEqual(Object.values(exitCodes));
});
