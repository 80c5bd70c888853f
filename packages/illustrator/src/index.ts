export { draw, type DrawRequest } from "./draw.ts";
export { drawGraphic } from "./graphic.ts";
export { readPart } from "./read-part.ts";
