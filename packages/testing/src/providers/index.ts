export type { Fault, Place } from "./faults.ts";
export type { ProtocolCall, ProtocolServer } from "./protocol-server.ts";
export { startGeminiServer } from "./gemini/server.ts";
export {
  startOpenAiModerationServer,
  type OpenAiModerationServer,
} from "./openai-moderation/server.ts";
export { startOpenAiServer } from "./openai/server.ts";
export { startSdcppServer } from "./sdcpp/server.ts";
