export { twoColours } from "./images.ts";
export { never, online } from "./online.ts";
