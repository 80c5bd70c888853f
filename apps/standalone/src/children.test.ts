import { expect, it } from "vitest";
import { childEnvironment } from "./children.ts";
import { readSettings } from "./settings.ts";

/** Returns the environment of API and worker for arguments and variables of the user. */
function environmentOf(args: readonly string[], variables: Record<string, string>) {
  const settings = readSettings(args, { ATELIER_HOME: "/data", ...variables });
  if (settings === null) throw new Error("help was requested");
  return childEnvironment({
    settings,
    ports: { api: 3000, admin: 3001 },
    postgres: { url: "postgres://localhost/atelier", port: 5432, processes: [] },
    secrets: {
      database_password: "",
      url_signing_secret: "",
      key_pepper: "",
      admin_key: "",
      watermark_secret: "",
      operator_log_key: "",
    },
    certificates: { chain: "", privateKey: "", trustAnchors: "", oldSigningCertificates: "" },
  });
}

const copied = { LOCAL_ONLY: "off", WORKER_DRAIN_SECONDS: "320" };

it("serves this machine only in a container without PUBLIC_URL, whatever LOCAL_ONLY says", () => {
  expect(environmentOf(["--container"], { ...copied, PUBLIC_URL: "" })).toMatchObject({
    LOCAL_ONLY: "on",
  });
  const PUBLIC_URL = "https://images.example";
  expect(environmentOf(["--container"], { ...copied, PUBLIC_URL })).toMatchObject({
    LOCAL_ONLY: "off",
  });
});

it("drains the worker for five seconds in a container, and otherwise as WORKER_DRAIN_SECONDS says", () => {
  expect(environmentOf(["--container"], copied)).toMatchObject({ WORKER_DRAIN_SECONDS: "5" });
  expect(environmentOf([], copied)).toMatchObject({ WORKER_DRAIN_SECONDS: "320" });
  expect(environmentOf([], {})).toMatchObject({ WORKER_DRAIN_SECONDS: "5" });
});
