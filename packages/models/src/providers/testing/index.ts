export type { Fault, Place } from "./faults.ts";
export type { ProtocolCall, ProtocolServer, Reply, Visit } from "./protocol-server.ts";
export { inventedText, startInventedServer } from "../described/testing/invented-server.ts";
export { startGeminiServer } from "../gemini/server.ts";
export { startOpenAiServer } from "../openai/server.ts";
export { startSdcppServer } from "../sdcpp/server.ts";
export { isImageInBase64, readJsonBody } from "./read-json-body.ts";
export { startProtocolServer } from "./protocol-server.ts";
export { startSerialEngine, type SerialEngine } from "./serial-engine.ts";
