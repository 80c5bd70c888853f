/** A problem of a diagram as a plain object, which threads can send. */
export interface DiagramProblem {
  readonly message: string;
  /** From 1; null when the problem has no position. */
  readonly line: number | null;
  readonly column: number | null;
}

/** A diagram that cannot be drawn: what is wrong, and where in its source. */
export class DiagramError extends Error implements DiagramProblem {
  override readonly name = "DiagramError";
  readonly line: number | null;
  readonly column: number | null;

  constructor(message: string, position: Omit<DiagramProblem, "message"> | null = null) {
    super(message);
    this.line = position?.line ?? null;
    this.column = position?.column ?? null;
  }
}

/** A diagram whose layout took too much time or memory. */
export class ExpensiveDiagramError extends DiagramError {}

/** @throws the error itself if it is no problem of a diagram. */
export function problemOf(error: unknown): DiagramProblem {
  if (!(error instanceof DiagramError)) throw error;
  const { message, line, column } = error;
  return { message, line, column };
}
