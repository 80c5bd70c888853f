import { parseConfig } from "@atelier/configuration";
import { runProgram } from "@atelier/process";
import { apiConfig } from "./config.ts";
import { startApi } from "./start-api.ts";

/** Runs the HTTP API, which accepts requests and generates no images. */
await runProgram(() => startApi(parseConfig(apiConfig, process.env), { environment: process.env }));
