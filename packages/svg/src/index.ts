export type { DrawnSvg } from "./drawn-svg.ts";
export { createSvgDrawer, type SvgDrawer } from "./svg-drawer.ts";
export { createSvgTracer, type SvgTracer } from "./svg-tracer.ts";
export { rasterizeSvg } from "./rasterize-svg.ts";
export { sanitizeSvg, SvgError } from "./sanitize-svg.ts";
