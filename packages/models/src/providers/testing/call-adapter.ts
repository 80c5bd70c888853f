import type { Provider, ProviderCall, ProviderOutcome, ProviderRequest } from "../../provider.ts";
import sharp from "sharp";

/** Calls an adapter as the worker does, with defaults for omitted values. */
export async function callAdapter(
  provider: Provider,
  request: Partial<ProviderRequest> = {},
  call: Partial<ProviderCall> = {},
): Promise<ProviderOutcome> {
  return provider.generate(
    {
      model: "local",
      prompt: "a lighthouse in a storm",
      aspectRatio: "1:1",
      imageSize: "1K",
      seed: 7,
      references: [],
      previousTurn: null,
      ...request,
    },
    {
      signal: new AbortController().signal,
      key: "0199c3a2-5b1e-7c44-9a53-6f2d1b0c8e77",
      resumeRequestId: null,
      onRequestId: () => Promise.resolve(),
      ...call,
    },
  );
}

/** Width and height of the returned image; null when the call returned none. */
export async function sizeOf(
  outcome: ProviderOutcome,
): Promise<{ width: number; height: number } | null> {
  if (outcome.kind !== "image") return null;
  const { height, width } = await sharp(outcome.image.bytes).metadata();
  return { width, height };
}

/** Creates references as a story provides them. */
export async function makeReferences(
  ...names: readonly string[]
): Promise<ProviderRequest["references"]> {
  return Promise.all(
    names.map(async (name, index) => ({
      role: "character" as const,
      name,
      description: `how ${name} looks`,
      bytes: await sharp({
        create: { width: 256 + index, height: 256, channels: 3, background: "#3a6ea5" },
      })
        .png()
        .toBuffer(),
      mediaType: "image/png" as const,
    })),
  );
}
