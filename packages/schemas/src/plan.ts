import type { AfterStep } from "./after.ts";
import type { MemberKind } from "./cast.ts";
import type { EngineParameters } from "./engine-parameters.ts";
import type { ErrorDetails } from "./error-codes.ts";
import type { ErrorCode } from "./errors.ts";
import type { JobEventType } from "./events.ts";
import type { KeyMode } from "./keys.ts";
import type { ModelCapability, Operation } from "./operations.ts";
import type { Metadata, Strictness } from "./request-fields.ts";
import type { PixelSize } from "./pixel-size.ts";
import type { Task } from "./tasks.ts";

/**
 * The specification of a render, stored in its row. Only this code writes and reads it, so it is a type and not
 * a schema.
 */
export interface RenderSpec {
  /** The complete prompt for the provider. */
  readonly prompt: string;
  /**
   * For a prompt that this service composed of texts of the client: their paths in the request, first
   * that of the text that the image is made for. Default: the prompt is the client's text at `prompt`.
   */
  readonly composedOf?: readonly string[];
  readonly aspectRatio: string;
  readonly imageSize: string;
  /**
   * The exact size that the request asks for. The aspect ratio is then the nearest of the model, and the
   * image size the one whose price it has. Default: the model's for both.
   */
  readonly pixels?: PixelSize;
  /** The files besides the PNG and the thumbnail, and their quality. Default: JPEG and WebP. */
  readonly output?: OutputSpec;
  /** 0 to 2³² − 1. */
  readonly seed: number;
  /** Describes things that the image must not show. Default: nothing. */
  readonly negativePrompt?: string;
  /** Default: opaque. */
  readonly background?: "opaque" | "transparent";
  /** Options that the model must support, also after a fallback. Default: none. */
  readonly capabilities?: readonly ModelCapability[];
  /** Options of the engine that the client set. Default: the model's presets alone. */
  readonly parameters?: EngineParameters;
  readonly references: readonly ReferenceSpec[];
  /** An operation other than making an image of the prompt. Default: none. */
  readonly task?: Task;
  /** Tools that change the image after its model made it, in this order. Default: none. */
  readonly after?: readonly AfterStep[];
  /** The size of the image to change, when it is scaled down before. Default: it is used as it is. */
  readonly scaledFrom?: PixelSize;
  /** Send the prompt without descriptions of the references. Default: false. */
  readonly rawPrompt?: boolean;
  /** Stories only: the character or location, the character's state, the scene's title. */
  readonly name: string | null;
  readonly state: string | null;
  readonly title: string | null;
  /**
   * Whether the request has reference images from the client, for this or another image: those may
   * show real people, unlike images of earlier renders.
   */
  readonly hasClientImages: boolean;
  /** All texts of the client that this image depends on, with their paths in the request. */
  readonly texts: readonly { readonly path: string; readonly text: string }[];
  /** The outcome that the prompt of a test job forces. Default: none. */
  readonly forced?: ForcedOutcome;
  /** Engine commands in these texts, which have no effect and are named in the response. Default: none. */
  readonly engineCommands?: readonly string[];
  /** The part of the prompt that the model draws, if it is not all. Default: all, or not known. */
  readonly reading?: Reading;
}

/** The part of a prompt that a model draws by rules. */
export interface Reading {
  /** The things that it draws, in its own words. */
  readonly understood: readonly string[];
  /** Words in scripts that it does not read, and emoji. */
  readonly unread: readonly string[];
  /** Whether it draws a pattern, because nothing that it can draw is named. */
  readonly isPattern: boolean;
}

/** A forced outcome of an image of a test job: it is made later, or fails. */
export type ForcedOutcome =
  | { readonly kind: "late"; readonly delayMs: number }
  | { readonly kind: "fail" };

/** The files of an image besides its PNG. */
export interface OutputSpec {
  readonly formats: readonly ("jpeg" | "webp")[];
  /** From 1 to 100; null selects the usual one of each format. */
  readonly quality: number | null;
}

/** An image of a story that shows one of its characters or locations. */
export interface StorySubject {
  readonly role: "portrait" | "state" | "location";
  readonly name: string;
  /** Null unless the role is `state`. */
  readonly state: string | null;
}

/** The roles of the images that a model receives as references. */
export type ReferenceRole = "style" | "character" | "location" | "previous-scene" | "part";

export interface ReferenceSpec {
  readonly role: ReferenceRole | EditRole | typeof unusedRole;
  readonly name: string | null;
  readonly description: string;
  readonly source:
    | { readonly kind: "url"; readonly url: string; readonly path: string }
    /** An upload or the image of a job; on acceptance, both become the stored image. */
    | { readonly kind: "upload"; readonly id: string; readonly path: string }
    | {
        readonly kind: "job";
        readonly jobId: string;
        /** Index in the images or scenes of its result. */
        readonly image: number;
        /** The portrait or location of a story instead of an image or scene. Default: none. */
        readonly subject?: StorySubject;
        readonly path: string;
      }
    /** A kept character in a state, or a kept location; on acceptance, it becomes the stored image. */
    | {
        readonly kind: "member";
        readonly member: MemberKind;
        readonly id: string;
        readonly state: string | null;
        readonly path: string;
      }
    /** An image of our own storage, whose signed URL was valid when the request was accepted. */
    | { readonly kind: "stored"; readonly key: string; readonly path: string }
    | { readonly kind: "render"; readonly position: number };
}

/** The roles of the images of an edit itself, which no model counts as references. */
export const editRoles = ["source", "mask", "markup"] as const;
export type EditRole = (typeof editRoles)[number];

/** Whether an image belongs to an edit itself. */
export function isEditRole(role: ReferenceSpec["role"]): role is EditRole {
  return editRoles.some((one) => one === role);
}

/** The role of an image of the request that no image is made with: workers only check it. */
export const unusedRole = "unused";

/** The roles of images that a model does not receive as references. */
export const uncountedRoles = [...editRoles, unusedRole] as const;

/** The references that an image is made with, with the images of an edit itself. */
export function usedReferences({ references }: Pick<RenderSpec, "references">) {
  return references.filter(
    (reference): reference is UsedReference => reference.role !== unusedRole,
  );
}

export type UsedReference = ReferenceSpec & { readonly role: ReferenceRole | EditRole };

/** Counts the references that a model receives as such. */
export function countReferenceImages({ references }: Pick<RenderSpec, "references">): number {
  return references.filter(({ role }) => !uncountedRoles.some((one) => one === role)).length;
}

/** The reason of a failed generation, as stored and returned. */
export interface GenerationError {
  readonly error: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails;
}

export type RenderRole = "image" | "portrait" | "state" | "location" | "scene";

/** A render before it has an id. */
export interface PlannedRender {
  readonly role: RenderRole;
  readonly lane: string;
  readonly model: string;
  readonly spec: RenderSpec;
  /** Positions in the plan of the renders that must be done first; all smaller than its own. */
  readonly waitsFor: readonly number[];
  /** The least capability of a worker that may make the image. Default: 0, which every version has. */
  readonly needs?: number;
}

/** A character or location that a generation draws. */
export interface DrawnMember {
  readonly id: string;
  readonly kind: MemberKind;
  readonly name: string;
  readonly description: string;
  /** The normal one first. */
  readonly looks: readonly { readonly state: string | null; readonly description: string }[];
}

/** Everything that a request will do, computed before it is accepted. */
export interface GenerationPlan {
  readonly kind: "image" | "story";
  readonly operation: Operation;
  /** Default: live. */
  readonly mode?: KeyMode;
  readonly model: string;
  /** The model that the request names, for a test job, which another one makes. Default: `model`. */
  readonly namedModel?: string;
  readonly strictness: Strictness;
  /** The request with its defaults filled in, without its metadata and its webhook. */
  readonly request: object;
  /** Texts of the client, stored and returned only. */
  readonly metadata: Metadata;
  /** Where the events of the job are sent, besides the webhooks of the account. Default: nowhere. */
  readonly webhook?: { readonly url: string; readonly events: readonly JobEventType[] };
  /** The seed of the first image, from which the others are derived. */
  readonly seed: number;
  readonly title: string | null;
  /** The images are kept until they are deleted. Default: false. */
  readonly isKept?: boolean;
  /** The character or location that it draws, which is kept until it is deleted. Default: none. */
  readonly castMember?: DrawnMember;
  /** The request has no image size, so that an edit may follow its image. Default: false. */
  readonly hasDefaultSize?: boolean;
  /** Held on acceptance and charged on completion. */
  readonly price: PlanPrice;
  readonly renders: readonly PlannedRender[];
}

/** The price of a generation, all of whose images cost the same, in micro-EUR. */
export interface PlanPrice {
  /** Of an image without its steps. */
  readonly eachMicroEur: bigint;
  /** Number of images. */
  readonly count: number;
  /** Of the steps after an image, which neither another model nor a batch changes. */
  readonly stepsMicroEur: bigint;
}

/** The price of all images with their steps, in micro-EUR. */
export function totalPrice({ count, eachMicroEur, stepsMicroEur }: PlanPrice): bigint {
  return (eachMicroEur + stepsMicroEur) * BigInt(count);
}

/** Requirements of a generation for its model. */
export interface ImageDemands {
  readonly kind: "image" | "story";
  /** Operations and options that the model must support. Default: none besides `kind`. */
  readonly capabilities?: readonly ModelCapability[];
  /** Options of the engine that the client set. Default: none. */
  readonly parameters?: EngineParameters | null;
  /** Whether the prices of batches apply. Default: false. */
  readonly isInBatch?: boolean;
  /** The maximum total price. */
  readonly priceMicroEur: bigint;
  readonly images: readonly {
    readonly aspectRatio: string;
    readonly imageSize: string;
    /** Default: any size of `aspectRatio` and `imageSize`. */
    readonly pixels?: PixelSize | null;
    readonly referenceImages: number;
  }[];
}
