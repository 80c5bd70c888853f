export { createBuiltinProvider } from "./builtin-provider.ts";
export { pixelSize } from "./pixel-size.ts";
