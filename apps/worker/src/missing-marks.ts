import type { WorkerConfig } from "./config.ts";

type MarkSettings = Pick<WorkerConfig, "TIME_STAMP_URL" | "WATERMARK_SECRET">;

/** The properties of a model that matter here. */
interface Model {
  readonly provider: string;
  readonly procedural: boolean;
}

/**
 * Returns the settings that images of trained models lack: the EU Code of Practice asks for signed and
 * time-stamped metadata and for a watermark. Empty when this worker serves procedural models only.
 *
 * @param servedLanes names of the providers whose renders this worker claims.
 */
export function findMissingMarks(
  models: readonly Model[],
  servedLanes: readonly string[],
  { TIME_STAMP_URL: authorities, WATERMARK_SECRET: secret }: MarkSettings,
): string[] {
  const isTrained = models.some(
    ({ procedural, provider }) => !procedural && servedLanes.includes(provider),
  );
  if (!isTrained) return [];
  return [
    ...(authorities.length === 0 ? ["TIME_STAMP_URL"] : []),
    ...(secret === undefined ? ["WATERMARK_SECRET"] : []),
  ];
}

/** Advice for missing marks. */
export function adviceOn(missing: readonly string[]): string {
  return `set ${missing.join(" and ")}: images of trained models are marked incompletely`;
}
