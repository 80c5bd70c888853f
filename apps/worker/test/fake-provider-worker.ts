import { parseConfig } from "@atelier/configuration";
import { createBuiltinProvider } from "@atelier/models";
import { createFakeProvider } from "@atelier/testing/fake-provider";
import { workerConfig } from "../src/config.ts";
import { startWorker } from "../src/start-worker.ts";

/** A worker like any other, with fake providers beside the built-in one. Started by tests. */
const url = process.env["FAKE_PROVIDER_URL"] ?? "";
const worker = await startWorker(parseConfig(workerConfig, process.env), [
  createBuiltinProvider(),
  createFakeProvider({ name: "fake-blind", url, lostCall: "repeat-blindly" }),
  createFakeProvider({ name: "fake-resumable", url, lostCall: "resume-by-request-id" }),
]);
const stop = () => worker.stop().then(() => process.connected && process.disconnect());
process.once("SIGTERM", () => void stop());
process.once("disconnect", () => void stop());
process.send?.({ type: "ready" });
