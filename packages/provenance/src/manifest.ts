import type { ImageFormat } from "./image-format.ts";

/** Values of the IPTC digital source type vocabulary, which C2PA and XMP share. */
const digitalSourceTypes = {
  trainedModel: "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia",
  procedural: "http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia",
} as const;

/** Who made the image. */
export interface ImageModel {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  /** Made by a program without a trained model. */
  readonly procedural: boolean;
}

/** The software that makes the claim: this service. */
export interface ClaimGenerator {
  readonly name: string;
  readonly version: string;
}

export interface Creation {
  readonly model: ImageModel;
  readonly claimGenerator: ClaimGenerator;
  readonly createdAt: Date;
  /** The format the model gave. */
  readonly sourceFormat: ImageFormat;
}

/** A C2PA action, in the words of `c2pa.actions.v2`. */
export interface Action {
  readonly action: string;
  readonly when: string;
  readonly softwareAgent: { readonly name: string; readonly version: string };
  readonly digitalSourceType?: string;
  readonly description?: string;
  readonly parameters?: { readonly ingredientIds: readonly string[] };
}

export function digitalSourceTypeOf(model: ImageModel): string {
  return model.procedural ? digitalSourceTypes.procedural : digitalSourceTypes.trainedModel;
}

/** Whether a digital source type says that a trained model had a part in the image. */
export function isAiSourceType(uri: string): boolean {
  const name = uri.slice(uri.lastIndexOf("/") + 1);
  return ["trainedAlgorithmicMedia", "compositeWithTrainedAlgorithmicMedia"].includes(name);
}

/**
 * What the library makes a manifest of, C2PA 2.4.
 * No prompt, and nothing else that a client wrote, goes in here.
 */
export function manifestDefinition(creation: Creation, actions: readonly Action[]): object {
  return {
    claim_generator_info: [{ ...creation.claimGenerator, specVersion: "2.4.0" }],
    assertions: [
      { label: "c2pa.actions.v2", data: { actions, allActionsIncluded: true } },
      ...aiDisclosure(creation.model),
    ],
  };
}

/**
 * What happened to the image, up to the file in this format. A copy in the model's own format
 * that had to be encoded again was transcoded; PNG never is, its pixels are kept as they came.
 */
export function actionsFor(
  creation: Creation,
  ingredientIds: readonly string[],
  format: ImageFormat,
  now: Date,
): Action[] {
  const { model, sourceFormat } = creation;
  const created: Action = {
    action: "c2pa.created",
    when: creation.createdAt.toISOString(),
    softwareAgent: { name: model.name, version: model.id },
    digitalSourceType: digitalSourceTypeOf(model),
    description: `Made by ${model.name} of ${model.provider}`,
    ...(ingredientIds.length === 0 ? {} : { parameters: { ingredientIds } }),
  };
  if (format === "png" && sourceFormat === "png") return [created];
  const reencoded: Action = {
    action: format === sourceFormat ? "c2pa.transcoded" : "c2pa.converted",
    when: now.toISOString(),
    softwareAgent: { ...creation.claimGenerator },
  };
  return [created, reencoded];
}

/** Only for trained models: of a drawing program it would say what is not so. */
function aiDisclosure(model: ImageModel): object[] {
  if (model.procedural) return [];
  return [
    {
      label: "c2pa.ai-disclosure",
      data: {
        modelType: "c2pa.types.model",
        modelName: model.name,
        contentProfile: { humanOversightLevel: "prompt_guided" },
      },
    },
  ];
}
