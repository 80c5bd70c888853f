import { AppError, type VectorizeTask } from "@atelier/schemas";
import { SvgError, type SvgTracer } from "@atelier/svg";
import type { ProviderImage, ProviderTool } from "../../provider.ts";
import { CallEnded } from "../http/call-ended.ts";

const defaultColours = 16;

/**
 * Traces an image as SVG, and as a PNG of its size.
 *
 * @throws CallEnded `invalid-request` for an image with too many details.
 */
export async function trace(
  { image, colors }: Extract<ProviderTool, VectorizeTask>,
  tracer: SvgTracer,
): Promise<{ readonly image: ProviderImage; readonly svg: string }> {
  try {
    const { png, svg } = await tracer.trace(image.bytes, colors ?? defaultColours);
    return { image: { bytes: png, mediaType: "image/png", hasAlpha: true }, svg };
  } catch (error) {
    if (!(error instanceof SvgError)) throw error;
    const problem = new AppError("reference_invalid", error.message, {
      details: { reason: "cannot_be_traced" },
    }).at("image");
    throw new CallEnded({
      kind: "invalid-request",
      message: error.message,
      problem,
      wasExpensive: true,
    });
  }
}
