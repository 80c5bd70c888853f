export { DiagramError, ExpensiveDiagramError, type DiagramProblem } from "./diagram-error.ts";
export { outlineText } from "./outline-text.ts";
export { createDiagrams, type Diagrams } from "./diagrams.ts";
export type { DiagramRequest } from "./diagram-request.ts";
