import type { CatalogueEntry } from "@atelier/models";
import { findName, findRatio } from "@atelier/schemas";

/** The part of a request or a scene whose values are names of the model. */
interface NamedSizes {
  readonly aspect_ratio?: string | undefined;
  readonly image_size?: string | undefined;
}

interface SizedRequest extends NamedSizes {
  readonly scenes?: readonly NamedSizes[] | undefined;
}

/**
 * Writes the sizes of a request as its model names them: `1k` as `1K`, and `32:18` as `16:9`. Others stay, and
 * are refused with those of the model.
 *
 * @param entry null for an unknown model.
 */
export function nameSizes<Body extends object>(
  body: Body,
  entry: Pick<CatalogueEntry, "aspect_ratios" | "prices_eur"> | null,
): Body {
  if (entry === null) return body;
  const imageSizes = Object.keys(entry.prices_eur);
  const named = <Part extends NamedSizes>(part: Part): Part => {
    const { aspect_ratio: ratio, image_size: size } = part;
    return {
      ...part,
      ...(ratio !== undefined && { aspect_ratio: findRatio(entry.aspect_ratios, ratio) ?? ratio }),
      ...(size !== undefined && { image_size: findName(imageSizes, size) ?? size }),
    };
  };
  const request: Body & SizedRequest = named(body);
  return request.scenes === undefined ? request : { ...request, scenes: request.scenes.map(named) };
}
