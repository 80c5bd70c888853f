/** A diagram that cannot be drawn: what is wrong, and where in its source. */
export class DiagramError extends Error {
  override readonly name = "DiagramError";
  /** From 1; null when the problem has no position. */
  readonly line: number | null;
  readonly column: number | null;

  constructor(message: string, position: { line: number; column: number } | null = null) {
    super(message);
    this.line = position?.line ?? null;
    this.column = position?.column ?? null;
  }
}

/** A diagram whose layout took too much time or memory. */
export class ExpensiveDiagramError extends DiagramError {}
