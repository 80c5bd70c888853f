export { rasterizeSvg } from "./rasterize-svg.ts";
export { sanitizeSvg, SvgError } from "./sanitize-svg.ts";
