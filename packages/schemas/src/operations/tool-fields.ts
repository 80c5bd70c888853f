import type { OperationTool } from "./definition.ts";
import { modelId } from "../fields.ts";
import {
  imageSource,
  keep,
  metadata,
  output,
  requestWebhook,
  strictnessOfRequest,
} from "../request-fields.ts";

/** Fields that the requests of all tools share. */
export const toolFields = {
  model: modelId,
  image: imageSource.meta({
    description: "The image to change, of at most 16.7 megapixels (4096 × 4096).",
  }),
  strictness: strictnessOfRequest,
  output,
  keep,
  metadata,
  ...requestWebhook,
};

/**
 * Describes an operation for the MCP tool that all tools share: assistants read the list of MCP tools in
 * every conversation, so that one of each would cost much.
 */
export function inSharedTool(description: string): OperationTool {
  return {
    name: "process_image",
    title: "Process an image",
    description,
    shared:
      "Changes an image by one of these operations, with a model whose operations include it. Answers and charges like generate_image.",
  };
}
