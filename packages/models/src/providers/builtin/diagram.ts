import { DiagramError, ExpensiveDiagramError, type Diagrams } from "@atelier/diagrams";
import type { DiagramTask } from "@atelier/schemas";
import { SvgError, type SvgDrawer } from "@atelier/svg";
import type { ProviderCall, ProviderImage, ProviderRequest } from "../../provider.ts";
import { explainDiagram } from "../../diagram-problem.ts";
import { CallEnded, invalidRequest } from "../http/call-ended.ts";

/** The longer edge by image size, in pixels. */
const edges: Readonly<Record<string, number>> = { "1K": 1024, "2K": 2048, "4K": 4096 };

/**
 * Lays out a diagram. The image has the shape of the diagram.
 *
 * @throws CallEnded `invalid-request` for wrong syntax, with line and column, or a diagram that is
 *   too large.
 */
export async function drawDiagram(
  { imageSize, prompt }: ProviderRequest,
  { source, language, direction, palette }: DiagramTask,
  { diagrams, svgDrawer }: { readonly diagrams: Diagrams; readonly svgDrawer: SvgDrawer },
  { signal, accountId }: Pick<ProviderCall, "signal" | "accountId">,
): Promise<{ readonly image: ProviderImage; readonly svg: string }> {
  const edge = Object.hasOwn(edges, imageSize) ? edges[imageSize] : undefined;
  if (edge === undefined) throw invalidRequest(`no image size ${imageSize}`);
  try {
    const request = { source: source ?? prompt, language, direction, palette };
    const svg = await diagrams.draw(request, { signal, ...(accountId && { owner: accountId }) });
    // The sizes and line styles are those of the client's source.
    const { png } = await svgDrawer.draw(svg, fitEdge(svg, edge));
    return { image: { bytes: png, mediaType: "image/png", hasAlpha: true }, svg };
  } catch (error) {
    if (error instanceof DiagramError) throw refuse(error, source);
    if (error instanceof SvgError) {
      throw refuse(
        new DiagramError("The diagram cannot be drawn. Use fewer or simpler shapes."),
        source,
      );
    }
    throw error;
  }
}

function refuse(error: DiagramError, source: string | null): CallEnded {
  const { line, column, message } = error;
  return new CallEnded({
    kind: "invalid-request",
    message: line === null ? message : `line ${line}, column ${column}: ${message}`,
    problem: explainDiagram(error, source),
    wasExpensive: error instanceof ExpensiveDiagramError,
  });
}

/** The size of a drawing whose longer edge has this many pixels. */
function fitEdge(svg: string, edge: number): { width: number; height: number } {
  const [, width, height] = /^<svg [^>]*?width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? [];
  const [across, down] = [Number(width ?? 1), Number(height ?? 1)];
  const scale = edge / Math.max(across, down);
  return {
    width: Math.max(16, Math.round(across * scale)),
    height: Math.max(16, Math.round(down * scale)),
  };
}
