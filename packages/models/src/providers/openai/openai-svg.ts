import type { GraphicTask } from "@atelier/schemas";
import type { ProviderRequest } from "../../provider.ts";
import { promptOfGraphic } from "../graphic.ts";

/*
 * SVG output of GPT Image 2.6: the image model makes a reference image, and a text model writes the SVG.
 * It takes no images, and its response has one entry in base64.
 *
 * Sources: the types `ImageGenerateParams.Svg` of openai 7.55.0; docs.apiyi.com, "Which reasoning effort
 * values work for SVG generation?" (2026-11-10), by which `svg.model` is required. Read on 2026-11-24.
 */

/** How much the text model thinks about an SVG; which values it takes depends on the model. */
export const openAiSvgEfforts = ["none", "low", "medium", "high", "xhigh", "max"] as const;

/** The model that writes SVG files, such as `gpt-5.6-terra`. */
export interface OpenAiSvgAuthor {
  readonly model: string;
  /** Null for the model's own. */
  readonly effort: (typeof openAiSvgEfforts)[number] | null;
}

/** The fields that a graphic adds to a request or replaces in it. Colours are part of the prompt. */
export function describeSvg(
  request: Pick<ProviderRequest, "prompt" | "rawPrompt">,
  task: GraphicTask,
  { effort, model }: OpenAiSvgAuthor,
): object {
  const { background, palette } = task;
  const colours = [
    ...(palette.length === 0 ? [] : [`Use only these colours: ${palette.join(", ")}.`]),
    ...(background === "transparent" ? [] : [`The background is ${background}.`]),
  ];
  const prompt = promptOfGraphic(request, task);
  return {
    prompt: request.rawPrompt === true ? prompt : [prompt, ...colours].join("\n"),
    output_format: "svg",
    svg: { model, ...(effort === null ? {} : { reasoning: { effort } }) },
  };
}
