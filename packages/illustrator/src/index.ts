export { draw, type DrawRequest } from "./draw.ts";
export { drawGraphic } from "./graphic.ts";
export { aspectRatios, pixelSize } from "./pixel-size.ts";
export { readPart } from "./read-part.ts";
