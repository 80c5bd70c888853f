import type { ProviderImage } from "@atelier/models";
import type { Logger } from "@atelier/telemetry";

/** Notes the format of a provider's image, by its lane. */
export type NoteLossyAnswer = (lane: string, image: Pick<ProviderImage, "mediaType">) => void;

/**
 * Logs once per lane that a provider returns JPEG although PNG is asked for: images lose detail, and
 * again with every edit. The manifest of each image records the conversion.
 */
export function createLossyNote(logger: Pick<Logger, "warn">): NoteLossyAnswer {
  const noted = new Set<string>();
  return (lane, { mediaType }) => {
    if (mediaType !== "image/jpeg" || noted.has(lane)) return;
    noted.add(lane);
    logger.warn(
      { lane, mediaType },
      "the provider returns JPEG, which loses detail; set its output format to PNG",
    );
  };
}
