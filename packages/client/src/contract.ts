// Made from the service's OpenAPI document by `npm run contract -w @atelier/client`. Don't edit.

export interface components {
  schemas: {
    readonly ImageRequest: {
      /**
       * @description An `id` of `GET /v1/models`.
       * @example builtin-illustrator
       */
      readonly model: string;
      /**
       * @description What the image shows.
       * @example a lighthouse at dusk, waves against the rocks
       */
      readonly prompt: string;
      /**
       * @description One of the model's `aspect_ratios`. Its `default_aspect_ratio` when left out.
       * @example 16:9
       */
      readonly aspect_ratio?: string | null;
      /**
       * @description One of the model's `image_sizes`. Its `default_image_size` when left out.
       * @example 1K
       */
      readonly image_size?: string | null;
      /** @description Style and context anchors, for models whose `supports_references` is true. */
      readonly reference_images?: readonly components["schemas"]["ReferenceImage"][] | null;
      /** @description How the texts are judged. The account's own when left out. */
      readonly strictness?: components["schemas"]["Strictness"] | null;
    };
    /** @description An image that anchors style or context. */
    readonly ReferenceImage: {
      /**
       * @description What the image shows. The model uses it to decide what to reference.
       * @example the harbour of the story, seen from the sea
       */
      readonly description: string;
      /**
       * Format: uri
       * @description A publicly accessible HTTPS URL of a PNG, JPEG or WebP, or a signed URL of this service.
       * @example https://images.example.com/harbour.png
       */
      readonly url: string;
    };
    /**
     * @description `normal`: brand-safe. `liberal`: only what the law forbids is refused.
     * @enum {string}
     */
    readonly Strictness: "normal" | "liberal";
    readonly StoryRequest: {
      /**
       * @description An `id` of `GET /v1/models`.
       * @example builtin-illustrator
       */
      readonly model: string;
      /**
       * @description One of the model's `aspect_ratios`. Its `default_aspect_ratio` when left out.
       * @example 16:9
       */
      readonly aspect_ratio?: string | null;
      /**
       * @description One of the model's `image_sizes`. Its `default_image_size` when left out.
       * @example 1K
       */
      readonly image_size?: string | null;
      /** @description What the whole story is about. */
      readonly prompt?: string | null;
      /** @description Place, time and mood that all scenes share. */
      readonly setting?: string | null;
      /**
       * @description Visual style of all images.
       * @example watercolour
       */
      readonly style?: string | null;
      /** @description Send prompts to the model as they are, without wrapping them. False when left out. */
      readonly raw_prompts?: boolean | null;
      /** @description How the texts are judged. The account's own when left out. */
      readonly strictness?: components["schemas"]["Strictness"] | null;
      /** @description Style and context anchors, for models whose `supports_references` is true. */
      readonly reference_images?: readonly components["schemas"]["ReferenceImage"][] | null;
      readonly characters: readonly components["schemas"]["Character"][];
      readonly locations?: readonly components["schemas"]["Location"][] | null;
      /** @description In the order of the story. */
      readonly scenes: readonly components["schemas"]["StoryScene"][];
    };
    readonly Character: {
      /**
       * @description Used for the character in all scenes; unique in its list.
       * @example Mira
       */
      readonly name: string;
      /**
       * @description Detailed appearance, from which a portrait is made.
       * @example a woman with long red hair, freckles and a green coat
       */
      readonly description: string;
      /**
       * Format: uri
       * @description An image to use as the reference. One is made from the description when left out.
       * @example https://images.example.com/harbour.png
       */
      readonly reference_url?: string | null;
      /** @description Other looks of the character, by the key that scenes use. */
      readonly states?: {
        readonly [key: string]: components["schemas"]["CharacterState"];
      } | null;
    };
    /** @description A costume or disguise of a character. */
    readonly CharacterState: {
      /** @description How the character looks in this state. */
      readonly description: string;
      /**
       * Format: uri
       * @description An image to use as the reference. One is made from the description when left out.
       * @example https://images.example.com/harbour.png
       */
      readonly reference_url?: string | null;
    };
    readonly Location: {
      /**
       * @description Used for the location in all scenes; unique in its list.
       * @example Beach
       */
      readonly name: string;
      /**
       * @description How the location looks.
       * @example a wide beach with dunes and a wooden pier
       */
      readonly description: string;
      /**
       * Format: uri
       * @description An image to use as the reference. One is made from the description when left out.
       * @example https://images.example.com/harbour.png
       */
      readonly reference_url?: string | null;
    };
    readonly StoryScene: {
      /**
       * @description What happens in the scene.
       * @example Mira finds the kite on the sand
       */
      readonly prompt: string;
      /**
       * @description Overrides the story's.
       * @example 16:9
       */
      readonly aspect_ratio?: string | null;
      /** @description Who is in the scene. */
      readonly characters?:
        | readonly {
            /** @description The name of one of the story's characters. */
            readonly name: string;
            /** @description A key of that character's states. The base appearance when left out. */
            readonly state?: string | null;
          }[]
        | null;
      /** @description The name of one of the story's locations. */
      readonly location?: string | null;
    };
    readonly SceneRequest: {
      /**
       * @description An `id` of `GET /v1/models`.
       * @example builtin-illustrator
       */
      readonly model: string;
      /** @description What happens in the scene. */
      readonly prompt: string;
      /**
       * @description Visual style of all images.
       * @example watercolour
       */
      readonly style?: string | null;
      /** @description Place, time and mood that all scenes share. */
      readonly setting?: string | null;
      readonly characters?: readonly components["schemas"]["SceneReference"][] | null;
      readonly location?: components["schemas"]["SceneReference"] | null;
      /**
       * @description One of the model's `aspect_ratios`. Its `default_aspect_ratio` when left out.
       * @example 16:9
       */
      readonly aspect_ratio?: string | null;
      /**
       * @description One of the model's `image_sizes`. Its `default_image_size` when left out.
       * @example 1K
       */
      readonly image_size?: string | null;
      /** @description How the texts are judged. The account's own when left out. */
      readonly strictness?: components["schemas"]["Strictness"] | null;
      /** @description Send prompts to the model as they are, without wrapping them. False when left out. */
      readonly raw_prompts?: boolean | null;
    };
    /** @description A character or location of an earlier story. */
    readonly SceneReference: {
      readonly name: string;
      /** @description How it looks, as the story said. */
      readonly description: string;
      /**
       * Format: uri
       * @description The `reference_url` of the story's result, or another HTTPS URL.
       * @example https://images.example.com/harbour.png
       */
      readonly reference_url: string;
    };
    /** @description What was made: one image, or all images of a story. */
    readonly GenerationResponse: {
      /**
       * Format: uuid
       * @description The generation, which is the job's id too.
       */
      readonly id: string;
      /** @description The model that was used. */
      readonly model: string;
      /**
       * @description Always true: a machine made it, with a trained model or by rules (EU AI Act, Art. 50).
       * @constant
       */
      readonly ai_generated: true;
      /**
       * @description What was charged.
       * @example 0.04
       */
      readonly cost_eur: string;
      /**
       * @description What was left of the credit after it.
       * @example 0.04
       */
      readonly balance_eur: string;
      /**
       * Format: uri
       * @description A signed URL of the PNG. Expires in 1 hour. Omitted for stories.
       */
      readonly image_url?: string;
      /** @description SHA-256 of the PNG. Omitted for stories. */
      readonly image_hash?: string;
      /** @description Signed URLs of all scenes of a story, as PNG. */
      readonly image_urls?: readonly string[];
      /** @description SHA-256 of all scenes of a story, as PNG. */
      readonly image_hashes?: readonly string[];
      /** @description The image in each format. Omitted when the files are not kept any more. */
      readonly formats?: {
        readonly png?: components["schemas"]["FormatVariant"];
        readonly jpeg?: components["schemas"]["FormatVariant"];
        readonly webp?: components["schemas"]["FormatVariant"];
      };
      /** @description Stories only. */
      readonly scenes?: readonly components["schemas"]["Scene"][];
      /** @description Stories only: the portrait of each character and state. */
      readonly characters?: readonly components["schemas"]["Reference"][];
      /** @description Stories only; they can be used again for single scenes. */
      readonly locations?: readonly components["schemas"]["Reference"][];
      /** @description Stories only: a generated title. */
      readonly title?: string;
    };
    /** @description One image in one format. */
    readonly FormatVariant: {
      /** @enum {string} */
      readonly format: "png" | "jpeg" | "webp";
      /**
       * Format: uri
       * @description A signed URL. Expires in 1 hour.
       */
      readonly url: string;
      /**
       * Format: date-time
       * @description When the signed URL expires.
       */
      readonly expires_at: string;
      /** @description SHA-256 of the file, in hexadecimal. */
      readonly hash: string;
      readonly size_bytes: number;
    };
    readonly Scene: {
      /** @description Its place in the story, from 1. */
      readonly scene: number;
      /** @description A short generated title. */
      readonly title: string;
      /**
       * Format: uri
       * @description A signed URL. Expires in 1 hour.
       */
      readonly image_url?: string;
      /** @description SHA-256 of the file, in hexadecimal. */
      readonly image_hash: string;
      /**
       * Format: date-time
       * @description When `image_url` expires.
       */
      readonly expires_at?: string;
      /** @description The image in each format. Omitted when the files are not kept any more. */
      readonly formats?: {
        readonly png?: components["schemas"]["FormatVariant"];
        readonly jpeg?: components["schemas"]["FormatVariant"];
        readonly webp?: components["schemas"]["FormatVariant"];
      };
    };
    /** @description The reference image of a character or location. */
    readonly Reference: {
      /** @description The name given in the request. */
      readonly name: string;
      /** @description The key of a character's state. */
      readonly state?: string;
      /**
       * Format: uri
       * @description The reference image; a signed URL where it was made here.
       */
      readonly reference_url?: string;
      /** @description When `reference_url` expires; null where the client supplied the reference, and absent with it where the image is not kept any more. */
      readonly expires_at?: string | null;
    };
    /** @description The generation was accepted and is not done yet. */
    readonly JobAccepted: {
      /** Format: uuid */
      readonly job_id: string;
      /**
       * Format: uri
       * @description `GET` it until the job is final.
       */
      readonly poll_url: string;
      /** @constant */
      readonly status: "pending";
    };
    readonly JobList: {
      /** @description Newest first. */
      readonly jobs: readonly components["schemas"]["Job"][];
      /** @description Null on the last page. */
      readonly next_cursor: string | null;
    };
    /** @description A generation, from its acceptance to its end. */
    readonly Job: {
      /** Format: uuid */
      readonly id: string;
      /** @enum {string} */
      readonly kind: "image" | "story";
      readonly status: components["schemas"]["JobStatus"];
      readonly model: string;
      /** Format: date-time */
      readonly created_at: string;
      readonly started_at: string | null;
      readonly completed_at: string | null;
      /**
       * @description What was charged: 0.00 unless completed.
       * @example 0.04
       */
      readonly cost_eur: string;
      /** @description Stories only. */
      readonly scenes_total?: number;
      /** @description Stories only: the number of scenes done. */
      readonly scenes_completed?: number;
      /** @description Only when completed. Its URLs are signed anew on every read. */
      readonly result: components["schemas"]["GenerationResponse"] | null;
      /** @description Only when failed. */
      readonly error: components["schemas"]["JobError"] | null;
    };
    /**
     * @description `completed`, `failed` and `cancelled` are final.
     * @enum {string}
     */
    readonly JobStatus: "pending" | "processing" | "completed" | "failed" | "cancelled";
    /** @description Why a job failed. Nothing was charged for it. */
    readonly JobError: {
      /**
       * @description A stable code.
       * @example provider_refused
       */
      readonly error: string;
      /** @description What happened, and what to do next. */
      readonly message: string;
      readonly details: unknown;
    };
    readonly ModelList: {
      readonly models: readonly components["schemas"]["Model"][];
    };
    readonly Model: {
      /** @description What requests name it by. */
      readonly id: string;
      readonly name: string;
      readonly description: string;
      /** @description Who makes the images. */
      readonly provider: string;
      /** @description Whether it can make stories. */
      readonly supports_multiturn: boolean;
      readonly supports_references: boolean;
      readonly max_reference_images: number;
      readonly aspect_ratios: readonly string[];
      readonly image_sizes: readonly string[];
      readonly default_aspect_ratio: string;
      readonly default_image_size: string;
      /** @description The price of one image, by size. */
      readonly prices: readonly {
        readonly image_size: string;
        /**
         * @description A plain decimal with 2 to 6 decimals.
         * @example 0.04
         */
        readonly eur: string;
      }[];
      /** @enum {string} */
      readonly status: "available" | "degraded" | "retired";
      readonly retires_at: string | null;
    };
    readonly Account: {
      /** Format: uuid */
      readonly id: string;
      readonly name: string;
      /**
       * @description What is left to spend.
       * @example 0.04
       */
      readonly balance_eur: string;
      /**
       * @description What is set aside for unfinished jobs.
       * @example 0.04
       */
      readonly held_eur: string;
      /** @description For requests that do not say. */
      readonly strictness: components["schemas"]["Strictness"];
    };
    readonly FileList: {
      readonly files:
        | readonly {
            readonly slug: string;
            readonly name: string;
            readonly description: string;
            readonly version: string;
            readonly formats:
              | readonly (
                  | "agent-skill"
                  | "agents-md"
                  | "cursor-rule"
                  | "mcp-config"
                  | "openapi"
                  | "curl"
                )[]
              | null;
          }[]
        | null;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
