import type { Model } from "@atelier/schemas";

/** Models as a table in Markdown: what to ask for, and what it costs. */
export function formatModels(models: readonly Model[]): string {
  if (models.length === 0) return "There is no such model at the moment.";
  return [
    "| model | sizes and EUR per image | aspect ratios | reference images | stories |",
    "| --- | --- | --- | --- | --- |",
    ...models.map((model) =>
      [
        "",
        ` \`${model.id}\`: ${oneLine(model.description)} `,
        ` ${model.prices.map(({ image_size, eur }) => `${oneLine(image_size)}: ${eur}`).join(", ")} `,
        ` ${model.aspect_ratios.map(oneLine).join(", ")} `,
        model.supports_references ? ` up to ${model.max_reference_images} ` : " no ",
        model.supports_multiturn ? " yes " : " no ",
        "",
      ].join("|"),
    ),
  ].join("\n");
}

/** What an operator wrote, fit for a cell of a table. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").replaceAll("{{", "{ {").trim();
}
