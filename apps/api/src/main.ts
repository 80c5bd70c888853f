import { parseConfig, runProgram } from "@atelier/configuration";
import { apiConfig } from "./config.ts";
import { startApi } from "./start-api.ts";

/** The HTTP side: takes requests, never makes an image. */
await runProgram(() => startApi(parseConfig(apiConfig, process.env), { environment: process.env }));
