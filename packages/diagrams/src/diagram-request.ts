export interface DiagramRequest {
  readonly source: string;
  readonly language: "text" | "dot" | "mermaid";
  /** Null keeps the direction of the source; default: right, and down for DOT. */
  readonly direction: "right" | "down" | null;
  /** Colours such as `#1f6feb`: lines first, then the fills of nodes in turn. */
  readonly palette: readonly string[];
}
