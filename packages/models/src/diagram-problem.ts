import type { DiagramProblem } from "@atelier/diagrams";
import { AppError } from "@atelier/schemas";

/**
 * The error for the client: what is wrong, and where in the request.
 *
 * @param source null if the diagram is the prompt.
 */
export function explainDiagram(
  { line, column, message }: DiagramProblem,
  source: string | null,
): AppError {
  const path = source === null ? "prompt" : "source";
  const problem = { path, code: "diagram_invalid", message, line, column };
  const where = line === null ? "" : ` Correct line ${line}, column ${column} of ${path}.`;
  return new AppError("diagram_invalid", `${message}${where}`, { details: [problem] });
}
