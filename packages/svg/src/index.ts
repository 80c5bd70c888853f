export { createSvgDrawer, type DrawnSvg, type SvgDrawer } from "./svg-drawer.ts";
export { rasterizeSvg } from "./rasterize-svg.ts";
export { sanitizeSvg, SvgError } from "./sanitize-svg.ts";
