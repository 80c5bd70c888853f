export interface DiagramRequest {
  readonly source: string;
  /** `text` is words with arrows, such as "user → API → queue". */
  readonly language: "text" | "dot" | "mermaid";
  /** Null keeps the direction of the source, which is right, or down for DOT, where it names none. */
  readonly direction: "right" | "down" | null;
  /** Colours such as `#1f6feb`: lines first, then the fills of nodes in turn. */
  readonly palette: readonly string[];
}
