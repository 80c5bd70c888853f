export {
  detectImageFormat,
  detectReceivedFormat,
  imageMediaTypes,
  receivedMediaTypes,
  type ImageFormat,
  type ImageMediaType,
  type ReceivedFormat,
  type ReceivedMediaType,
} from "./image-format.ts";
export { escapeControls } from "./escape-controls.ts";
export { mulberry32 } from "./mulberry32.ts";
export { parseRetryAfter } from "./retry-after.ts";
export { pepperId, type Peppers } from "./peppers.ts";
export { seal, unseal, unsealWithAny } from "./seal.ts";
export { lazily } from "./lazily.ts";
export { locateJson } from "./locate-json.ts";
export { positionAt } from "./position-at.ts";
export { settleEach } from "./settle-each.ts";
export { createTokenCheck } from "./token-check.ts";
export { unlessAborted } from "./unless-aborted.ts";
