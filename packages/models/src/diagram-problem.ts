import { checkDiagram, DiagramError } from "@atelier/diagrams";
import { AppError, type DiagramTask } from "@atelier/schemas";

type DiagramSource = Pick<DiagramTask, "source" | "language">;

/**
 * Checks a diagram in words or Mermaid, before anything is drawn. DOT is checked when it is laid out.
 *
 * @param prompt the diagram if there is no source.
 * @throws AppError `diagram_invalid`, with line and column where they are known.
 */
export function assertDiagram({ source, language }: DiagramSource, prompt: string): void {
  try {
    checkDiagram({ source: source ?? prompt, language });
  } catch (error) {
    if (error instanceof DiagramError) throw explainDiagram(error, source);
    throw error;
  }
}

/** The error for the client: what is wrong, and where in the request. */
export function explainDiagram(error: DiagramError, source: string | null): AppError {
  const { line, column, message } = error;
  const path = source === null ? "prompt" : "source";
  const problem = { path, code: "diagram_invalid", message, line, column };
  const where = line === null ? "" : ` Correct line ${line}, column ${column} of ${path}.`;
  return new AppError("diagram_invalid", `${message}${where}`, { details: [problem] });
}
