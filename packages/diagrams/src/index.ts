export { checkDiagram } from "./check-diagram.ts";
export { DiagramError, ExpensiveDiagramError } from "./diagram-error.ts";
export { outlineText } from "./outline-text.ts";
export { createDiagrams, type DiagramRequest, type Diagrams } from "./diagrams.ts";
