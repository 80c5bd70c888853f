import type { Model } from "@atelier/schemas";

/** Formats models as a Markdown table with prices and capabilities. */
export function formatModels(models: readonly Model[]): string {
  if (models.length === 0) return "No such model is available at the moment.";
  return [
    "| model | sizes and EUR per image | aspect ratios | reference images | can |",
    "| --- | --- | --- | --- | --- |",
    ...models.map((model) =>
      [
        "",
        ` \`${model.id}\`: ${oneLine(model.description)} `,
        ` ${model.prices.map(describePrice).join(", ")} `,
        ` ${model.aspect_ratios.map(oneLine).join(", ")} `,
        model.supports_references ? ` up to ${model.max_reference_images} ` : " no ",
        ` ${capabilities(model).join(", ")} `,
        "",
      ].join("|"),
    ),
  ].join("\n");
}

/** The operations of a model, and the options of them that it supports. */
function capabilities(model: Model): string[] {
  const options = {
    mask: model.supports_mask,
    markup: model.supports_markup,
    seed: model.supports_seed,
    negative_prompt: model.supports_negative_prompt,
    "transparent background": model.supports_transparency,
    svg: model.supports_svg,
    [`n up to ${model.max_n}`]: model.max_n > 1,
  };
  const supported = Object.entries(options).filter(([, isSupported]) => isSupported);
  return [...model.operations, ...supported.map(([name]) => name)];
}

function describePrice({ operation, image_size, eur }: Model["prices"][number]): string {
  const size = oneLine(image_size);
  return operation === undefined ? `${size}: ${eur}` : `${operation} ${size}: ${eur}`;
}

/** Escapes operator text for a table cell. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").replaceAll("{{", "{ {").trim();
}
