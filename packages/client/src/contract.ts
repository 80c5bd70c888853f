// Generated from the OpenAPI document by `npm run contract -w @atelier/client`. Do not edit.

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
       * @description One of the model's `aspect_ratios`, also as `16x9`, `16/9` or another ratio that is equal. Default, also for `auto`: its `default_aspect_ratio`.
       * @example 16:9
       */
      readonly aspect_ratio?: string | null;
      /**
       * @description One of the model's `image_sizes`. Default, also for `auto`: its `default_image_size`.
       * @example 1K
       */
      readonly image_size?: string | null;
      /** @description The exact width in pixels, for models that have `sizes`. `width` and `height` are given together, in place of `aspect_ratio` and `image_size`. The price is that of the smallest of the model's `pixels` with at least as many. */
      readonly width?: number | null;
      /** @description The exact height in pixels, for models that have `sizes`. `width` and `height` are given together, in place of `aspect_ratio` and `image_size`. The price is that of the smallest of the model's `pixels` with at least as many. */
      readonly height?: number | null;
      /** @description Style and context anchors, for models whose `supports_references` is true. */
      readonly reference_images?: readonly components["schemas"]["ReferenceImage"][] | null;
      /** @description Kept characters that the image shows. Their descriptions are added to the prompt, and their images are references. */
      readonly characters?: readonly components["schemas"]["ImageCharacter"][] | null;
      /** @description The kept location of the image, used in the same way. */
      readonly location?: components["schemas"]["ImageLocation"] | null;
      /**
       * @description Tools that change the image: `remove-background`, `upscale:2` (to 4). They run in this order, as steps of the same job before the image is marked. Their prices are added to that of each image. When a step fails, the job fails and nothing is charged.
       * @example [
       *       "remove-background",
       *       "upscale:2"
       *     ]
       */
      readonly after?: readonly string[] | null;
      /** @description The level of moderation. Default: the account's strictness. */
      readonly strictness?: components["schemas"]["Strictness"] | null;
      /** @description Number of images to make of one prompt. They have the seeds `seed`, `seed` + 1 and so on. Each has the price of one image. Either all are made, or the job fails and nothing is charged. Default: 1. */
      readonly n?: number | null;
      /** @description Start value of the model, for models whose `supports_seed` is true. The same request with the same seed makes the same or a similar image. The files differ: each has its own watermark and manifest. Default: a random one, returned as `seed`. */
      readonly seed?: number | null;
      /** @description What the image must not show, for models whose `supports_negative_prompt` is true. It is moderated together with the prompt. */
      readonly negative_prompt?: string | null;
      /** @description `transparent` for models whose `supports_transparency` is true. The JPEG is then flattened on white. Default: `opaque`. */
      readonly background?: ("opaque" | "transparent") | null;
      /** @description Engine options that the model's `parameters` allow. These are a JSON schema; what it does not allow is 422 `model_not_capable`. */
      readonly parameters?: components["schemas"]["EngineParameters"] | null;
      /** @description Which files are made of each image, and how they are returned. */
      readonly output?: components["schemas"]["Output"] | null;
      /** @description True keeps the images until they are deleted, as `POST /v1/jobs/{id}/keep` does once the job is completed. Default: false. */
      readonly keep?: boolean | null;
      /**
       * @description Texts of your own, stored with the job and returned with it. They are not moderated, never sent to a provider, and not part of the image.
       * @example {
       *       "order": "A-1027"
       *     }
       */
      readonly metadata?: {
        readonly [key: string]: string;
      } | null;
      /**
       * Format: uri
       * @description Where the events of this job are sent: a public HTTPS URL on port 443. Deliveries are signed with the secret of `POST /v1/account/webhook-secret`, and are otherwise those of webhooks.
       */
      readonly webhook_url?: string | null;
      /** @description The types of events that are sent to `webhook_url`. Default: `job.completed`, `job.failed` and `job.cancelled`. */
      readonly webhook_events?:
        | readonly (
            | "job.updated"
            | "job.image_completed"
            | "job.completed"
            | "job.failed"
            | "job.cancelled"
          )[]
        | null;
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
       * @description A publicly accessible HTTPS URL of a PNG, JPEG, WebP or AVIF, or a signed URL of this service.
       * @example https://images.example.com/harbour.png
       */
      readonly url?: string | null;
      /**
       * Format: uuid
       * @description The `id` of an upload.
       */
      readonly upload_id?: string | null;
      /** @description The image itself in base64, with or without a `data:` prefix, in requests to `POST /v1/generate` only: a PNG, JPEG, WebP or AVIF of at most 20 MB. It is deleted when the job is done; the job shows an `upload_id` in its place. */
      readonly base64?: string | null;
      /**
       * Format: uuid
       * @description The id of a completed job, whose image is used.
       */
      readonly job_id?: string | null;
      /** @description With `job_id`: which of its images or scenes, from 0. Default: 0. */
      readonly image?: number | null;
      /** @description With the `job_id` of a story: the character whose portrait is used. */
      readonly portrait?: string | null;
      /** @description With `portrait` or `character_id`: the key of the character's state. Default: its normal look. */
      readonly state?: string | null;
      /** @description With the `job_id` of a story: the location whose image is used. */
      readonly location?: string | null;
      /**
       * Format: uuid
       * @description The `id` of a character of `GET /v1/characters`, whose image is used.
       */
      readonly character_id?: string | null;
      /**
       * Format: uuid
       * @description The `id` of a location of `GET /v1/locations`, whose image is used.
       */
      readonly location_id?: string | null;
    };
    readonly ImageCharacter: {
      /**
       * Format: uuid
       * @description The `id` of a character of `GET /v1/characters`.
       */
      readonly character_id: string;
      /** @description Its name in the prompt. Default: its own. */
      readonly name?: string | null;
      /** @description The key of its state. Default: its normal look. */
      readonly state?: string | null;
    };
    readonly ImageLocation: {
      /**
       * Format: uuid
       * @description The `id` of a location of `GET /v1/locations`.
       */
      readonly location_id: string;
      /** @description Its name in the prompt. Default: its own. */
      readonly name?: string | null;
    };
    /**
     * @description `normal`: brand-safe. `liberal`: refuses only what is illegal, hateful or deceptive.
     * @enum {string}
     */
    readonly Strictness: "normal" | "liberal";
    readonly EngineParameters: {
      /** @description Sampling steps. */
      readonly steps?: number | null;
      /** @description CFG scale: how closely the image follows the prompt. */
      readonly guidance?: number | null;
      /** @description Name of a sampler. */
      readonly sampler?: string | null;
      /** @description Name of a scheduler. */
      readonly scheduler?: string | null;
      /** @description LoRAs besides those of the model. */
      readonly loras?: readonly components["schemas"]["Lora"][] | null;
    };
    /** @description A LoRA of the operator's engine, and how strongly it applies. */
    readonly Lora: {
      readonly name: string;
      readonly weight: number;
    };
    readonly Output: {
      /** @description The files to make besides the PNG, which is always made, also if it is listed. Default: all. An empty list makes the PNG only. */
      readonly formats?: readonly ("png" | "jpeg" | "webp")[] | null;
      /** @description The quality of the JPEG and the WebP, from 1 to 100. Default: 90 for the JPEG and 88 for the WebP. */
      readonly quality?: number | null;
      /** @description True adds `base64` to each entry of `formats` of up to 4 MB, in the response to this request only. Default: false. */
      readonly inline?: boolean | null;
    };
    /**
     * @description `completed`, `failed` and `cancelled` are final.
     * @enum {string}
     */
    readonly JobStatus: "pending" | "processing" | "completed" | "failed" | "cancelled";
    /**
     * @description `test`: free, and drawn by built-in models with a visible mark.
     * @enum {string}
     */
    readonly KeyMode: "live" | "test";
    readonly RenderProgress: {
      /** @description Position of the image in the job, from 0. */
      readonly render: number;
      /** @description From 0 to 1. */
      readonly progress: number;
      /** @description Sampling steps done; null if unknown. */
      readonly step: number | null;
      /** @description Steps in all; null if unknown. */
      readonly of: number | null;
    };
    readonly JobKeep: {
      /**
       * @description `pending`: kept when the job is completed, or being copied. `refused`: the quota was used up when the job was completed, or it made no images; the images follow the retention of the account.
       * @enum {string}
       */
      readonly status: "pending" | "kept" | "refused";
      /** @description What the images count towards the quota. */
      readonly size_bytes: number;
    };
    /** @description One of several images of a prompt. */
    readonly GeneratedImage: {
      /** @description Position in the result, from 0. */
      readonly index: number;
      readonly seed: number;
      /**
       * Format: uri
       * @description A signed URL. Expires in 1 hour.
       */
      readonly image_url?: string;
      /**
       * Format: uri
       * @description A signed URL of a WebP of at most 512 pixels, signed and marked like the image. Absent after it was deleted, and for images from before there were thumbnails.
       */
      readonly thumbnail_url?: string;
      /** @description SHA-256 of the file, in hexadecimal. */
      readonly image_hash: string;
      /** @description In pixels. */
      readonly width: number;
      readonly height: number;
      /** @description The marks of all files of the image: signed metadata, a watermark in the pixels, and a record in the registry (file hash and fingerprint). Images that are too small or mostly transparent have no watermark. */
      readonly layers: readonly ("c2pa" | "watermark" | "registry")[];
      /** @description The image in each format; `svg` only for models whose `supports_svg` is true. Absent after the files were deleted. */
      readonly formats?: {
        readonly png?: components["schemas"]["FormatVariant"];
        readonly jpeg?: components["schemas"]["FormatVariant"];
        readonly webp?: components["schemas"]["FormatVariant"];
        readonly svg?: components["schemas"]["FormatVariant"];
      };
    };
    /** @description One image in one format. */
    readonly FormatVariant: {
      /** @enum {string} */
      readonly format: "png" | "jpeg" | "webp" | "svg";
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
      /** @description In pixels. */
      readonly width: number;
      readonly height: number;
      /** @description The file, only in the response to a request with `output.inline`. */
      readonly base64?: string;
      /**
       * @description Of the JPEG of an image with transparency: it is flattened on white.
       * @constant
       */
      readonly flattened?: true;
    };
    /** @description The reason of a failed job. Nothing was charged. */
    readonly JobError: {
      /**
       * @description A stable code.
       * @example provider_refused
       */
      readonly error: string;
      /** @description What is wrong, and what to do. */
      readonly message: string;
      readonly details: unknown;
    };
    readonly StoryRequest: {
      /**
       * @description An `id` of `GET /v1/models`.
       * @example builtin-illustrator
       */
      readonly model: string;
      /**
       * @description One of the model's `aspect_ratios`, also as `16x9`, `16/9` or another ratio that is equal. Default, also for `auto`: its `default_aspect_ratio`.
       * @example 16:9
       */
      readonly aspect_ratio?: string | null;
      /**
       * @description One of the model's `image_sizes`. Default, also for `auto`: its `default_image_size`.
       * @example 1K
       */
      readonly image_size?: string | null;
      /** @description The title of the story. Default: one made of its texts. */
      readonly title?: string | null;
      /** @description The topic of the story. */
      readonly prompt?: string | null;
      /** @description Place, time and mood that all scenes share. */
      readonly setting?: string | null;
      /**
       * @description Visual style of all images.
       * @example watercolour
       */
      readonly style?: string | null;
      /** @description Send prompts to the model unchanged. Default: false. */
      readonly raw_prompts?: boolean | null;
      /** @description The level of moderation. Default: the account's strictness. */
      readonly strictness?: components["schemas"]["Strictness"] | null;
      /** @description Start value of the first portrait, from which those of the other images are derived, for models whose `supports_seed` is true. Default: a random one, returned as `seed`. */
      readonly seed?: number | null;
      /** @description What the image must not show, for models whose `supports_negative_prompt` is true. It is moderated together with the prompt. */
      readonly negative_prompt?: string | null;
      /** @description Engine options that the model's `parameters` allow. These are a JSON schema; what it does not allow is 422 `model_not_capable`. */
      readonly parameters?: components["schemas"]["EngineParameters"] | null;
      /** @description Which files are made of each image, and how. */
      readonly output?: {
        /** @description The files to make besides the PNG, which is always made, also if it is listed. Default: all. An empty list makes the PNG only. */
        readonly formats?: readonly ("png" | "jpeg" | "webp")[] | null;
        /** @description The quality of the JPEG and the WebP, from 1 to 100. Default: 90 for the JPEG and 88 for the WebP. */
        readonly quality?: number | null;
      } | null;
      /** @description True keeps the images until they are deleted, as `POST /v1/jobs/{id}/keep` does once the job is completed. Default: false. */
      readonly keep?: boolean | null;
      /**
       * @description Texts of your own, stored with the job and returned with it. They are not moderated, never sent to a provider, and not part of the image.
       * @example {
       *       "order": "A-1027"
       *     }
       */
      readonly metadata?: {
        readonly [key: string]: string;
      } | null;
      /**
       * Format: uri
       * @description Where the events of this job are sent: a public HTTPS URL on port 443. Deliveries are signed with the secret of `POST /v1/account/webhook-secret`, and are otherwise those of webhooks.
       */
      readonly webhook_url?: string | null;
      /** @description The types of events that are sent to `webhook_url`. Default: `job.completed`, `job.failed` and `job.cancelled`. */
      readonly webhook_events?:
        | readonly (
            | "job.updated"
            | "job.image_completed"
            | "job.completed"
            | "job.failed"
            | "job.cancelled"
          )[]
        | null;
      /** @description Style and context anchors, for models whose `supports_references` is true. */
      readonly reference_images?: readonly components["schemas"]["ReferenceImage"][] | null;
      readonly characters: readonly components["schemas"]["Character"][];
      readonly locations?: readonly components["schemas"]["Location"][] | null;
      /** @description True makes and charges only the portraits and locations. `scenes` may then be omitted. Default: false. */
      readonly cast_only?: boolean | null;
      /** @description 2 to 10, in the order of the story. Required without `cast_only`; with it, they may be empty. */
      readonly scenes?: readonly components["schemas"]["StoryScene"][] | null;
    };
    readonly Character: {
      /**
       * Format: uuid
       * @description The `id` of a character of `GET /v1/characters`. It has the place of description and image.
       */
      readonly character_id?: string | null;
      /** @description Used for the character in all scenes; unique in its list. Required without `character_id`, whose default is its own. */
      readonly name?: string | null;
      /** @description Detailed appearance, from which a portrait is made. Required without `character_id`. */
      readonly description?: string | null;
      /**
       * Format: uri
       * @description An image to use as the reference. Default: one is made from the description.
       * @example https://images.example.com/harbour.png
       */
      readonly reference_url?: string | null;
      /** @description The same as `reference_url` for an upload or an image of a job. */
      readonly reference?: components["schemas"]["ImageSource"] | null;
      /** @description Other looks of the character, by the keys that scenes use. With `character_id`, in addition to those that it has. */
      readonly states?: {
        readonly [key: string]: components["schemas"]["CharacterState"];
      } | null;
    };
    /** @description A URL, an upload, the image itself, that of a job, or that of a character or location that is kept. */
    readonly ImageSource: {
      /**
       * Format: uri
       * @description A publicly accessible HTTPS URL of a PNG, JPEG, WebP or AVIF, or a signed URL of this service.
       * @example https://images.example.com/harbour.png
       */
      readonly url?: string | null;
      /**
       * Format: uuid
       * @description The `id` of an upload.
       */
      readonly upload_id?: string | null;
      /** @description The image itself in base64, with or without a `data:` prefix, in requests to `POST /v1/generate` only: a PNG, JPEG, WebP or AVIF of at most 20 MB. It is deleted when the job is done; the job shows an `upload_id` in its place. */
      readonly base64?: string | null;
      /**
       * Format: uuid
       * @description The id of a completed job, whose image is used.
       */
      readonly job_id?: string | null;
      /** @description With `job_id`: which of its images or scenes, from 0. Default: 0. */
      readonly image?: number | null;
      /** @description With the `job_id` of a story: the character whose portrait is used. */
      readonly portrait?: string | null;
      /** @description With `portrait` or `character_id`: the key of the character's state. Default: its normal look. */
      readonly state?: string | null;
      /** @description With the `job_id` of a story: the location whose image is used. */
      readonly location?: string | null;
      /**
       * Format: uuid
       * @description The `id` of a character of `GET /v1/characters`, whose image is used.
       */
      readonly character_id?: string | null;
      /**
       * Format: uuid
       * @description The `id` of a location of `GET /v1/locations`, whose image is used.
       */
      readonly location_id?: string | null;
    };
    /** @description A costume or disguise of a character. */
    readonly CharacterState: {
      /** @description How the character looks in this state. */
      readonly description: string;
      /**
       * Format: uri
       * @description An image to use as the reference. Default: one is made from the description.
       * @example https://images.example.com/harbour.png
       */
      readonly reference_url?: string | null;
      /** @description The same as `reference_url` for an upload or an image of a job. */
      readonly reference?: components["schemas"]["ImageSource"] | null;
    };
    readonly Location: {
      /**
       * Format: uuid
       * @description The `id` of a location of `GET /v1/locations`. It has the place of description and image.
       */
      readonly location_id?: string | null;
      /** @description Used for the location in all scenes; unique in its list. Required without `location_id`, whose default is its own. */
      readonly name?: string | null;
      /** @description How the location looks. Required without `location_id`. */
      readonly description?: string | null;
      /**
       * Format: uri
       * @description An image to use as the reference. Default: one is made from the description.
       * @example https://images.example.com/harbour.png
       */
      readonly reference_url?: string | null;
      /** @description The same as `reference_url` for an upload or an image of a job. */
      readonly reference?: components["schemas"]["ImageSource"] | null;
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
      /** @description Who is in the scene. A plain text is short for a name. */
      readonly characters?:
        | readonly {
            /** @description The name of one of the story's characters. */
            readonly name: string;
            /** @description A key of that character's states. Default: the character's normal look. */
            readonly state?: string | null;
          }[]
        | null;
      /** @description The name of one of the story's locations. */
      readonly location?: string | null;
    };
    readonly SceneRequest: {
      /**
       * @description An `id` of `GET /v1/models`. Default: the story's.
       * @example builtin-illustrator
       */
      readonly model?: string | null;
      /**
       * Format: uuid
       * @description The id of a completed story that the scene belongs to. Its model, style, setting, negative prompt, aspect ratio and image size are the defaults, and its characters and locations are used by their names.
       */
      readonly story_job_id?: string | null;
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
       * @description One of the model's `aspect_ratios`, also as `16x9`, `16/9` or another ratio that is equal. Default, also for `auto`: its `default_aspect_ratio`.
       * @example 16:9
       */
      readonly aspect_ratio?: string | null;
      /**
       * @description One of the model's `image_sizes`. Default, also for `auto`: its `default_image_size`.
       * @example 1K
       */
      readonly image_size?: string | null;
      /** @description The exact width in pixels, for models that have `sizes`. `width` and `height` are given together, in place of `aspect_ratio` and `image_size`. The price is that of the smallest of the model's `pixels` with at least as many. */
      readonly width?: number | null;
      /** @description The exact height in pixels, for models that have `sizes`. `width` and `height` are given together, in place of `aspect_ratio` and `image_size`. The price is that of the smallest of the model's `pixels` with at least as many. */
      readonly height?: number | null;
      /** @description The level of moderation. Default: the account's strictness. */
      readonly strictness?: components["schemas"]["Strictness"] | null;
      /** @description Send prompts to the model unchanged. Default: false. */
      readonly raw_prompts?: boolean | null;
      /**
       * @description Tools that change the image: `remove-background`, `upscale:2` (to 4). They run in this order, as steps of the same job before the image is marked. Their prices are added to that of each image. When a step fails, the job fails and nothing is charged.
       * @example [
       *       "remove-background",
       *       "upscale:2"
       *     ]
       */
      readonly after?: readonly string[] | null;
      /** @description Number of images to make of one prompt. They have the seeds `seed`, `seed` + 1 and so on. Each has the price of one image. Either all are made, or the job fails and nothing is charged. Default: 1. */
      readonly n?: number | null;
      /** @description Start value of the model, for models whose `supports_seed` is true. The same request with the same seed makes the same or a similar image. The files differ: each has its own watermark and manifest. Default: a random one, returned as `seed`. */
      readonly seed?: number | null;
      /** @description What the image must not show, for models whose `supports_negative_prompt` is true. It is moderated together with the prompt. */
      readonly negative_prompt?: string | null;
      /** @description `transparent` for models whose `supports_transparency` is true. The JPEG is then flattened on white. Default: `opaque`. */
      readonly background?: ("opaque" | "transparent") | null;
      /** @description Engine options that the model's `parameters` allow. These are a JSON schema; what it does not allow is 422 `model_not_capable`. */
      readonly parameters?: components["schemas"]["EngineParameters"] | null;
      /** @description Which files are made of each image, and how they are returned. */
      readonly output?: components["schemas"]["Output"] | null;
      /** @description True keeps the images until they are deleted, as `POST /v1/jobs/{id}/keep` does once the job is completed. Default: false. */
      readonly keep?: boolean | null;
      /**
       * @description Texts of your own, stored with the job and returned with it. They are not moderated, never sent to a provider, and not part of the image.
       * @example {
       *       "order": "A-1027"
       *     }
       */
      readonly metadata?: {
        readonly [key: string]: string;
      } | null;
      /**
       * Format: uri
       * @description Where the events of this job are sent: a public HTTPS URL on port 443. Deliveries are signed with the secret of `POST /v1/account/webhook-secret`, and are otherwise those of webhooks.
       */
      readonly webhook_url?: string | null;
      /** @description The types of events that are sent to `webhook_url`. Default: `job.completed`, `job.failed` and `job.cancelled`. */
      readonly webhook_events?:
        | readonly (
            | "job.updated"
            | "job.image_completed"
            | "job.completed"
            | "job.failed"
            | "job.cancelled"
          )[]
        | null;
    };
    /** @description A character or location of an earlier story, or one that is kept. With `story_job_id`, its name is enough, and a plain text is short for it. */
    readonly SceneReference: {
      /**
       * Format: uuid
       * @description The `id` of a character of `GET /v1/characters`. It has the place of description and image.
       */
      readonly character_id?: string | null;
      /**
       * Format: uuid
       * @description The `id` of a location of `GET /v1/locations`. It has the place of description and image.
       */
      readonly location_id?: string | null;
      readonly name?: string | null;
      /** @description With `story_job_id` or `character_id`: the key of the character's state. */
      readonly state?: string | null;
      /** @description Its appearance, as in the story. With `story_job_id`, that of the story. */
      readonly description?: string | null;
      /**
       * Format: uri
       * @description The `reference_url` of the story's result, or another HTTPS URL.
       * @example https://images.example.com/harbour.png
       */
      readonly reference_url?: string | null;
      /** @description The same as `reference_url` for an upload or an image of a job. */
      readonly reference?: components["schemas"]["ImageSource"] | null;
    };
    readonly EditRequest: {
      /**
       * @description An `id` of `GET /v1/models`.
       * @example builtin-illustrator
       */
      readonly model: string;
      /**
       * @description What to change, or what the masked area shows afterwards.
       * @example a red sailing boat on the water
       */
      readonly prompt: string;
      /** @description The image to change. An upload or an image at a URL may have 24 megapixels, as JPEG 50, and is scaled down to 16.7 (4096 × 4096), with its mask and markup; `scaled_from` says so. Other images have at most 16.7. */
      readonly image: components["schemas"]["ImageSource"];
      /** @description Limits the change, for models whose `supports_mask` is true: an image of the same size, in which white marks what to change and black what to keep. In an image with transparency, the transparent pixels mark what to change. The result has the size of `image`, and its pixels outside of the mask are kept. */
      readonly mask?: components["schemas"]["ImageSource"] | null;
      /** @description Hints that are drawn over the image, such as arrows, circles or notes, for models whose `supports_markup` is true: an image of the same size that is transparent where nothing is drawn. The result does not show it. Not together with `mask`. */
      readonly markup?: components["schemas"]["ImageSource"] | null;
      /** @description How much to change, from 0 (keep the image) to 1 (replace it), for models that have such a setting. Default: the model's. */
      readonly strength?: number | null;
      /**
       * @description One of the model's `image_sizes`. Without a mask, the result has its pixels in the shape of the image. A built-in model takes the smallest size that holds the image by default, and with a mask only that one. Other models take their `default_image_size`, as does every model for an image at a URL of another server.
       * @example 1K
       */
      readonly image_size?: string | null;
      /** @description The exact width in pixels, for models that have `sizes`. `width` and `height` are given together, in place of `aspect_ratio` and `image_size`. The price is that of the smallest of the model's `pixels` with at least as many. */
      readonly width?: number | null;
      /** @description The exact height in pixels, for models that have `sizes`. `width` and `height` are given together, in place of `aspect_ratio` and `image_size`. The price is that of the smallest of the model's `pixels` with at least as many. */
      readonly height?: number | null;
      /** @description Style and context anchors, for models whose `supports_references` is true. */
      readonly reference_images?: readonly components["schemas"]["ReferenceImage"][] | null;
      /**
       * @description Tools that change the image: `remove-background`, `upscale:2` (to 4). They run in this order, as steps of the same job before the image is marked. Their prices are added to that of each image. When a step fails, the job fails and nothing is charged.
       * @example [
       *       "remove-background",
       *       "upscale:2"
       *     ]
       */
      readonly after?: readonly string[] | null;
      /** @description The level of moderation. Default: the account's strictness. */
      readonly strictness?: components["schemas"]["Strictness"] | null;
      /** @description Number of images to make of one prompt. They have the seeds `seed`, `seed` + 1 and so on. Each has the price of one image. Either all are made, or the job fails and nothing is charged. Default: 1. */
      readonly n?: number | null;
      /** @description Start value of the model, for models whose `supports_seed` is true. The same request with the same seed makes the same or a similar image. The files differ: each has its own watermark and manifest. Default: a random one, returned as `seed`. */
      readonly seed?: number | null;
      /** @description What the image must not show, for models whose `supports_negative_prompt` is true. It is moderated together with the prompt. */
      readonly negative_prompt?: string | null;
      /** @description `transparent` for models whose `supports_transparency` is true. The JPEG is then flattened on white. Default: `opaque`. */
      readonly background?: ("opaque" | "transparent") | null;
      /** @description Engine options that the model's `parameters` allow. These are a JSON schema; what it does not allow is 422 `model_not_capable`. */
      readonly parameters?: components["schemas"]["EngineParameters"] | null;
      /** @description Which files are made of each image, and how they are returned. */
      readonly output?: components["schemas"]["Output"] | null;
      /** @description True keeps the images until they are deleted, as `POST /v1/jobs/{id}/keep` does once the job is completed. Default: false. */
      readonly keep?: boolean | null;
      /**
       * @description Texts of your own, stored with the job and returned with it. They are not moderated, never sent to a provider, and not part of the image.
       * @example {
       *       "order": "A-1027"
       *     }
       */
      readonly metadata?: {
        readonly [key: string]: string;
      } | null;
      /**
       * Format: uri
       * @description Where the events of this job are sent: a public HTTPS URL on port 443. Deliveries are signed with the secret of `POST /v1/account/webhook-secret`, and are otherwise those of webhooks.
       */
      readonly webhook_url?: string | null;
      /** @description The types of events that are sent to `webhook_url`. Default: `job.completed`, `job.failed` and `job.cancelled`. */
      readonly webhook_events?:
        | readonly (
            | "job.updated"
            | "job.image_completed"
            | "job.completed"
            | "job.failed"
            | "job.cancelled"
          )[]
        | null;
    };
    readonly CombineRequest: {
      /**
       * @description An `id` of `GET /v1/models`.
       * @example builtin-illustrator
       */
      readonly model: string;
      /**
       * @description What the combination of the images shows.
       * @example the boat in the harbour, at dusk
       */
      readonly prompt: string;
      /** @description The images to combine, for models whose `supports_combine` is true. */
      readonly images: readonly components["schemas"]["CombinedImage"][];
      /**
       * @description One of the model's `aspect_ratios`, also as `16x9`, `16/9` or another ratio that is equal. Default, also for `auto`: its `default_aspect_ratio`.
       * @example 16:9
       */
      readonly aspect_ratio?: string | null;
      /**
       * @description One of the model's `image_sizes`. Default, also for `auto`: its `default_image_size`.
       * @example 1K
       */
      readonly image_size?: string | null;
      /** @description The exact width in pixels, for models that have `sizes`. `width` and `height` are given together, in place of `aspect_ratio` and `image_size`. The price is that of the smallest of the model's `pixels` with at least as many. */
      readonly width?: number | null;
      /** @description The exact height in pixels, for models that have `sizes`. `width` and `height` are given together, in place of `aspect_ratio` and `image_size`. The price is that of the smallest of the model's `pixels` with at least as many. */
      readonly height?: number | null;
      /** @description The level of moderation. Default: the account's strictness. */
      readonly strictness?: components["schemas"]["Strictness"] | null;
      /** @description Number of images to make of one prompt. They have the seeds `seed`, `seed` + 1 and so on. Each has the price of one image. Either all are made, or the job fails and nothing is charged. Default: 1. */
      readonly n?: number | null;
      /** @description Start value of the model, for models whose `supports_seed` is true. The same request with the same seed makes the same or a similar image. The files differ: each has its own watermark and manifest. Default: a random one, returned as `seed`. */
      readonly seed?: number | null;
      /** @description What the image must not show, for models whose `supports_negative_prompt` is true. It is moderated together with the prompt. */
      readonly negative_prompt?: string | null;
      /** @description `transparent` for models whose `supports_transparency` is true. The JPEG is then flattened on white. Default: `opaque`. */
      readonly background?: ("opaque" | "transparent") | null;
      /** @description Engine options that the model's `parameters` allow. These are a JSON schema; what it does not allow is 422 `model_not_capable`. */
      readonly parameters?: components["schemas"]["EngineParameters"] | null;
      /** @description Which files are made of each image, and how they are returned. */
      readonly output?: components["schemas"]["Output"] | null;
      /** @description True keeps the images until they are deleted, as `POST /v1/jobs/{id}/keep` does once the job is completed. Default: false. */
      readonly keep?: boolean | null;
      /**
       * @description Texts of your own, stored with the job and returned with it. They are not moderated, never sent to a provider, and not part of the image.
       * @example {
       *       "order": "A-1027"
       *     }
       */
      readonly metadata?: {
        readonly [key: string]: string;
      } | null;
      /**
       * Format: uri
       * @description Where the events of this job are sent: a public HTTPS URL on port 443. Deliveries are signed with the secret of `POST /v1/account/webhook-secret`, and are otherwise those of webhooks.
       */
      readonly webhook_url?: string | null;
      /** @description The types of events that are sent to `webhook_url`. Default: `job.completed`, `job.failed` and `job.cancelled`. */
      readonly webhook_events?:
        | readonly (
            | "job.updated"
            | "job.image_completed"
            | "job.completed"
            | "job.failed"
            | "job.cancelled"
          )[]
        | null;
    };
    /** @description An image of a combination. */
    readonly CombinedImage: {
      /**
       * @description What the image shows, and what the combination takes from it.
       * @example the red sailing boat
       */
      readonly description: string;
      /**
       * Format: uri
       * @description A publicly accessible HTTPS URL of a PNG, JPEG, WebP or AVIF, or a signed URL of this service.
       * @example https://images.example.com/harbour.png
       */
      readonly url?: string | null;
      /**
       * Format: uuid
       * @description The `id` of an upload.
       */
      readonly upload_id?: string | null;
      /** @description The image itself in base64, with or without a `data:` prefix, in requests to `POST /v1/generate` only: a PNG, JPEG, WebP or AVIF of at most 20 MB. It is deleted when the job is done; the job shows an `upload_id` in its place. */
      readonly base64?: string | null;
      /**
       * Format: uuid
       * @description The id of a completed job, whose image is used.
       */
      readonly job_id?: string | null;
      /** @description With `job_id`: which of its images or scenes, from 0. Default: 0. */
      readonly image?: number | null;
      /** @description With the `job_id` of a story: the character whose portrait is used. */
      readonly portrait?: string | null;
      /** @description With `portrait` or `character_id`: the key of the character's state. Default: its normal look. */
      readonly state?: string | null;
      /** @description With the `job_id` of a story: the location whose image is used. */
      readonly location?: string | null;
      /**
       * Format: uuid
       * @description The `id` of a character of `GET /v1/characters`, whose image is used.
       */
      readonly character_id?: string | null;
      /**
       * Format: uuid
       * @description The `id` of a location of `GET /v1/locations`, whose image is used.
       */
      readonly location_id?: string | null;
    };
    readonly GraphicRequest: {
      /**
       * @description An `id` of `GET /v1/models`.
       * @example builtin-illustrator
       */
      readonly model: string;
      /**
       * @description What the graphic shows.
       * @example a rocket over a planet
       */
      readonly prompt: string;
      /**
       * @description How much it shows: one thing, a mark with initials or an emblem, or a scene.
       * @enum {string}
       */
      readonly kind: "icon" | "logo" | "illustration";
      /** @description Up to eight colours to use. Default: the model chooses. */
      readonly palette?: readonly string[] | null;
      /** @description A colour, or `transparent`, which is the default. */
      readonly background?: ("transparent" | string) | null;
      /**
       * @description One of the model's `aspect_ratios`, also as `16x9`, `16/9` or another ratio that is equal. Default, also for `auto`: its `default_aspect_ratio`.
       * @example 16:9
       */
      readonly aspect_ratio?: string | null;
      /**
       * @description One of the model's `image_sizes`. Default, also for `auto`: its `default_image_size`.
       * @example 1K
       */
      readonly image_size?: string | null;
      /** @description The level of moderation. Default: the account's strictness. */
      readonly strictness?: components["schemas"]["Strictness"] | null;
      /** @description Number of images to make of one prompt. They have the seeds `seed`, `seed` + 1 and so on. Each has the price of one image. Either all are made, or the job fails and nothing is charged. Default: 1. */
      readonly n?: number | null;
      /** @description Start value of the model, for models whose `supports_seed` is true. The same request with the same seed makes the same or a similar image. The files differ: each has its own watermark and manifest. Default: a random one, returned as `seed`. */
      readonly seed?: number | null;
      /** @description What the image must not show, for models whose `supports_negative_prompt` is true. It is moderated together with the prompt. */
      readonly negative_prompt?: string | null;
      /** @description Which files are made of each image, and how they are returned. */
      readonly output?: components["schemas"]["Output"] | null;
      /** @description True keeps the images until they are deleted, as `POST /v1/jobs/{id}/keep` does once the job is completed. Default: false. */
      readonly keep?: boolean | null;
      /**
       * @description Texts of your own, stored with the job and returned with it. They are not moderated, never sent to a provider, and not part of the image.
       * @example {
       *       "order": "A-1027"
       *     }
       */
      readonly metadata?: {
        readonly [key: string]: string;
      } | null;
      /**
       * Format: uri
       * @description Where the events of this job are sent: a public HTTPS URL on port 443. Deliveries are signed with the secret of `POST /v1/account/webhook-secret`, and are otherwise those of webhooks.
       */
      readonly webhook_url?: string | null;
      /** @description The types of events that are sent to `webhook_url`. Default: `job.completed`, `job.failed` and `job.cancelled`. */
      readonly webhook_events?:
        | readonly (
            | "job.updated"
            | "job.image_completed"
            | "job.completed"
            | "job.failed"
            | "job.cancelled"
          )[]
        | null;
    };
    readonly DiagramRequest: {
      /**
       * @description An `id` of `GET /v1/models`.
       * @example builtin-illustrator
       */
      readonly model: string;
      /**
       * @description The diagram in words. Exactly one of `prompt` and `source` is required.
       * @example user → API → queue; the queue feeds three workers
       */
      readonly prompt?: string | null;
      /** @description The diagram in `language`. */
      readonly source?: string | null;
      /** @description The language of `source`: `text` (words, as in `prompt`; the default), `dot` (Graphviz) or `mermaid` (flowcharts). */
      readonly language?: ("text" | "dot" | "mermaid") | null;
      /** @description Where the arrows lead. Default: as the source says, or right; down for DOT. */
      readonly direction?: ("right" | "down") | null;
      /** @description Up to eight colours: of lines and texts first, then of the shapes in turn. */
      readonly palette?: readonly string[] | null;
      /**
       * @description One of the model's `image_sizes`. Default, also for `auto`: its `default_image_size`.
       * @example 1K
       */
      readonly image_size?: string | null;
      /** @description The level of moderation. Default: the account's strictness. */
      readonly strictness?: components["schemas"]["Strictness"] | null;
      /** @description Which files are made of each image, and how they are returned. */
      readonly output?: components["schemas"]["Output"] | null;
      /** @description True keeps the images until they are deleted, as `POST /v1/jobs/{id}/keep` does once the job is completed. Default: false. */
      readonly keep?: boolean | null;
      /**
       * @description Texts of your own, stored with the job and returned with it. They are not moderated, never sent to a provider, and not part of the image.
       * @example {
       *       "order": "A-1027"
       *     }
       */
      readonly metadata?: {
        readonly [key: string]: string;
      } | null;
      /**
       * Format: uri
       * @description Where the events of this job are sent: a public HTTPS URL on port 443. Deliveries are signed with the secret of `POST /v1/account/webhook-secret`, and are otherwise those of webhooks.
       */
      readonly webhook_url?: string | null;
      /** @description The types of events that are sent to `webhook_url`. Default: `job.completed`, `job.failed` and `job.cancelled`. */
      readonly webhook_events?:
        | readonly (
            | "job.updated"
            | "job.image_completed"
            | "job.completed"
            | "job.failed"
            | "job.cancelled"
          )[]
        | null;
    };
    readonly UpscaleRequest: {
      /**
       * @description An `id` of `GET /v1/models`.
       * @example builtin-illustrator
       */
      readonly model: string;
      /** @description The image to change, of at most 16.7 megapixels (4096 × 4096). */
      readonly image: components["schemas"]["ImageSource"];
      /** @description The level of moderation. Default: the account's strictness. */
      readonly strictness?: components["schemas"]["Strictness"] | null;
      /** @description Which files are made of each image, and how they are returned. */
      readonly output?: components["schemas"]["Output"] | null;
      /** @description True keeps the images until they are deleted, as `POST /v1/jobs/{id}/keep` does once the job is completed. Default: false. */
      readonly keep?: boolean | null;
      /**
       * @description Texts of your own, stored with the job and returned with it. They are not moderated, never sent to a provider, and not part of the image.
       * @example {
       *       "order": "A-1027"
       *     }
       */
      readonly metadata?: {
        readonly [key: string]: string;
      } | null;
      /**
       * Format: uri
       * @description Where the events of this job are sent: a public HTTPS URL on port 443. Deliveries are signed with the secret of `POST /v1/account/webhook-secret`, and are otherwise those of webhooks.
       */
      readonly webhook_url?: string | null;
      /** @description The types of events that are sent to `webhook_url`. Default: `job.completed`, `job.failed` and `job.cancelled`. */
      readonly webhook_events?:
        | readonly (
            | "job.updated"
            | "job.image_completed"
            | "job.completed"
            | "job.failed"
            | "job.cancelled"
          )[]
        | null;
      /** @description How much longer each edge becomes, from 2 to 4, in place of `width` and `height`. */
      readonly factor?: number | null;
      /** @description The exact width in pixels, with `height` in place of `factor`: at least that of the image, at most 4 times, and at most 40 megapixels in total. An image of another shape is cropped to it. */
      readonly width?: number | null;
      readonly height?: number | null;
    };
    readonly RemoveBackgroundRequest: {
      /**
       * @description An `id` of `GET /v1/models`.
       * @example builtin-illustrator
       */
      readonly model: string;
      /** @description The image to change, of at most 16.7 megapixels (4096 × 4096). */
      readonly image: components["schemas"]["ImageSource"];
      /** @description The level of moderation. Default: the account's strictness. */
      readonly strictness?: components["schemas"]["Strictness"] | null;
      /** @description Which files are made of each image, and how they are returned. */
      readonly output?: components["schemas"]["Output"] | null;
      /** @description True keeps the images until they are deleted, as `POST /v1/jobs/{id}/keep` does once the job is completed. Default: false. */
      readonly keep?: boolean | null;
      /**
       * @description Texts of your own, stored with the job and returned with it. They are not moderated, never sent to a provider, and not part of the image.
       * @example {
       *       "order": "A-1027"
       *     }
       */
      readonly metadata?: {
        readonly [key: string]: string;
      } | null;
      /**
       * Format: uri
       * @description Where the events of this job are sent: a public HTTPS URL on port 443. Deliveries are signed with the secret of `POST /v1/account/webhook-secret`, and are otherwise those of webhooks.
       */
      readonly webhook_url?: string | null;
      /** @description The types of events that are sent to `webhook_url`. Default: `job.completed`, `job.failed` and `job.cancelled`. */
      readonly webhook_events?:
        | readonly (
            | "job.updated"
            | "job.image_completed"
            | "job.completed"
            | "job.failed"
            | "job.cancelled"
          )[]
        | null;
    };
    readonly OutpaintRequest: {
      /**
       * @description An `id` of `GET /v1/models`.
       * @example builtin-illustrator
       */
      readonly model: string;
      /** @description The image to change, of at most 16.7 megapixels (4096 × 4096). */
      readonly image: components["schemas"]["ImageSource"];
      /** @description The level of moderation. Default: the account's strictness. */
      readonly strictness?: components["schemas"]["Strictness"] | null;
      /** @description Which files are made of each image, and how they are returned. */
      readonly output?: components["schemas"]["Output"] | null;
      /** @description True keeps the images until they are deleted, as `POST /v1/jobs/{id}/keep` does once the job is completed. Default: false. */
      readonly keep?: boolean | null;
      /**
       * @description Texts of your own, stored with the job and returned with it. They are not moderated, never sent to a provider, and not part of the image.
       * @example {
       *       "order": "A-1027"
       *     }
       */
      readonly metadata?: {
        readonly [key: string]: string;
      } | null;
      /**
       * Format: uri
       * @description Where the events of this job are sent: a public HTTPS URL on port 443. Deliveries are signed with the secret of `POST /v1/account/webhook-secret`, and are otherwise those of webhooks.
       */
      readonly webhook_url?: string | null;
      /** @description The types of events that are sent to `webhook_url`. Default: `job.completed`, `job.failed` and `job.cancelled`. */
      readonly webhook_events?:
        | readonly (
            | "job.updated"
            | "job.image_completed"
            | "job.completed"
            | "job.failed"
            | "job.cancelled"
          )[]
        | null;
      /** @description Pixels to add above. Default: 0. */
      readonly top?: number | null;
      /** @description Pixels to add at the right. Default: 0. */
      readonly right?: number | null;
      /** @description Pixels to add below. Default: 0. */
      readonly bottom?: number | null;
      /** @description Pixels to add at the left. Default: 0. */
      readonly left?: number | null;
      /** @description What the new area shows. Default: what continues the image. */
      readonly prompt?: string | null;
      /** @description Start value of the model, for models whose `supports_seed` is true. The same request with the same seed makes the same or a similar image. The files differ: each has its own watermark and manifest. Default: a random one, returned as `seed`. */
      readonly seed?: number | null;
    };
    readonly EraseRequest: {
      /**
       * @description An `id` of `GET /v1/models`.
       * @example builtin-illustrator
       */
      readonly model: string;
      /** @description The image to change, of at most 16.7 megapixels (4096 × 4096). */
      readonly image: components["schemas"]["ImageSource"];
      /** @description The level of moderation. Default: the account's strictness. */
      readonly strictness?: components["schemas"]["Strictness"] | null;
      /** @description Which files are made of each image, and how they are returned. */
      readonly output?: components["schemas"]["Output"] | null;
      /** @description True keeps the images until they are deleted, as `POST /v1/jobs/{id}/keep` does once the job is completed. Default: false. */
      readonly keep?: boolean | null;
      /**
       * @description Texts of your own, stored with the job and returned with it. They are not moderated, never sent to a provider, and not part of the image.
       * @example {
       *       "order": "A-1027"
       *     }
       */
      readonly metadata?: {
        readonly [key: string]: string;
      } | null;
      /**
       * Format: uri
       * @description Where the events of this job are sent: a public HTTPS URL on port 443. Deliveries are signed with the secret of `POST /v1/account/webhook-secret`, and are otherwise those of webhooks.
       */
      readonly webhook_url?: string | null;
      /** @description The types of events that are sent to `webhook_url`. Default: `job.completed`, `job.failed` and `job.cancelled`. */
      readonly webhook_events?:
        | readonly (
            | "job.updated"
            | "job.image_completed"
            | "job.completed"
            | "job.failed"
            | "job.cancelled"
          )[]
        | null;
      /** @description What to remove: an image of the same size, in which white marks it and black what to keep. In an image with transparency, the transparent pixels mark what to remove. */
      readonly mask: components["schemas"]["ImageSource"];
    };
    readonly VectorizeRequest: {
      /**
       * @description An `id` of `GET /v1/models`.
       * @example builtin-illustrator
       */
      readonly model: string;
      /** @description The image to change, of at most 16.7 megapixels (4096 × 4096). */
      readonly image: components["schemas"]["ImageSource"];
      /** @description The level of moderation. Default: the account's strictness. */
      readonly strictness?: components["schemas"]["Strictness"] | null;
      /** @description Which files are made of each image, and how they are returned. */
      readonly output?: components["schemas"]["Output"] | null;
      /** @description True keeps the images until they are deleted, as `POST /v1/jobs/{id}/keep` does once the job is completed. Default: false. */
      readonly keep?: boolean | null;
      /**
       * @description Texts of your own, stored with the job and returned with it. They are not moderated, never sent to a provider, and not part of the image.
       * @example {
       *       "order": "A-1027"
       *     }
       */
      readonly metadata?: {
        readonly [key: string]: string;
      } | null;
      /**
       * Format: uri
       * @description Where the events of this job are sent: a public HTTPS URL on port 443. Deliveries are signed with the secret of `POST /v1/account/webhook-secret`, and are otherwise those of webhooks.
       */
      readonly webhook_url?: string | null;
      /** @description The types of events that are sent to `webhook_url`. Default: `job.completed`, `job.failed` and `job.cancelled`. */
      readonly webhook_events?:
        | readonly (
            | "job.updated"
            | "job.image_completed"
            | "job.completed"
            | "job.failed"
            | "job.cancelled"
          )[]
        | null;
      /** @description The maximum number of colours, for models of the provider `builtin`. Default: 16. */
      readonly colors?: number | null;
    };
    readonly VariationsRequest: {
      /**
       * @description An `id` of `GET /v1/models`.
       * @example builtin-illustrator
       */
      readonly model: string;
      /** @description The image to change, of at most 16.7 megapixels (4096 × 4096). */
      readonly image: components["schemas"]["ImageSource"];
      /** @description The level of moderation. Default: the account's strictness. */
      readonly strictness?: components["schemas"]["Strictness"] | null;
      /** @description Which files are made of each image, and how they are returned. */
      readonly output?: components["schemas"]["Output"] | null;
      /** @description True keeps the images until they are deleted, as `POST /v1/jobs/{id}/keep` does once the job is completed. Default: false. */
      readonly keep?: boolean | null;
      /**
       * @description Texts of your own, stored with the job and returned with it. They are not moderated, never sent to a provider, and not part of the image.
       * @example {
       *       "order": "A-1027"
       *     }
       */
      readonly metadata?: {
        readonly [key: string]: string;
      } | null;
      /**
       * Format: uri
       * @description Where the events of this job are sent: a public HTTPS URL on port 443. Deliveries are signed with the secret of `POST /v1/account/webhook-secret`, and are otherwise those of webhooks.
       */
      readonly webhook_url?: string | null;
      /** @description The types of events that are sent to `webhook_url`. Default: `job.completed`, `job.failed` and `job.cancelled`. */
      readonly webhook_events?:
        | readonly (
            | "job.updated"
            | "job.image_completed"
            | "job.completed"
            | "job.failed"
            | "job.cancelled"
          )[]
        | null;
      /** @description How much to change, from 0 (keep the image) to 1, for models that have such a setting. Default: the model's. */
      readonly strength?: number | null;
      /** @description Number of images to make of one prompt. They have the seeds `seed`, `seed` + 1 and so on. Each has the price of one image. Either all are made, or the job fails and nothing is charged. Default: 1. */
      readonly n?: number | null;
      /** @description Start value of the model, for models whose `supports_seed` is true. The same request with the same seed makes the same or a similar image. The files differ: each has its own watermark and manifest. Default: a random one, returned as `seed`. */
      readonly seed?: number | null;
    };
    readonly ChangeJobRequest: {
      /**
       * @description Shown and found instead of the title that the job was made with; null brings that back.
       * @example The lost kite, second try
       */
      readonly title?: string | null;
      /** @description Whether the job is among those that `starred=true` lists. */
      readonly starred?: boolean;
      /**
       * @description An object of your own, such as the texts and the cover of a story's pages: at most 100,000 bytes as JSON. It replaces the earlier one; null deletes that. The archive of a story follows its `pages`: a list of `{scene, job_id?}` in reading order, with the number of each scene from 1 and, for another try, the job that made it.
       * @example {
       *       "language": "en",
       *       "pages": [
       *         {
       *           "scene": 2,
       *           "text": "Mira runs over the dunes.",
       *           "job_id": "019a9f3c-5f0e-7c31-9b7d-3f5a2c8e1d46"
       *         },
       *         {
       *           "scene": 1,
       *           "text": "At last, the kite."
       *         }
       *       ]
       *     }
       */
      readonly book?: {
        readonly [key: string]: unknown;
      } | null;
    };
    readonly NewBatch: {
      /** @description The lines of the batch. They are accepted in this order. */
      readonly requests: readonly components["schemas"]["BatchRequest"][];
      /** @description Images of the batch are made after those of all other requests. */
      readonly priority?: "low" | null;
      /**
       * Format: uri
       * @description Where the event `batch.completed` of this batch is sent: a public HTTPS URL on port 443. Deliveries are signed with the secret of `POST /v1/account/webhook-secret`, and are otherwise those of webhooks.
       */
      readonly webhook_url?: string | null;
    };
    readonly BatchRequest: {
      /**
       * @description As in the path of `POST /v1/generate/{operation}`. A line with another one fails.
       * @example image
       */
      readonly operation: string;
      /** @description The body of that request. It is validated when the line is accepted. */
      readonly body: {
        readonly [key: string]: unknown;
      };
    };
    /** @description Many requests that are accepted in the background. */
    readonly Batch: {
      /** Format: uuid */
      readonly id: string;
      readonly mode: components["schemas"]["KeyMode"];
      readonly status: components["schemas"]["BatchStatus"];
      /** @constant */
      readonly priority: "low";
      /** Format: date-time */
      readonly created_at: string;
      /**
       * Format: date-time
       * @description When lines that are not accepted by then fail.
       */
      readonly expires_at: string;
      readonly completed_at: string | null;
      readonly counts: components["schemas"]["BatchCounts"];
      /**
       * @description The amount charged for its completed jobs so far.
       * @example 0.04
       */
      readonly cost_eur: string;
      /** @description Why the next line is not accepted yet, such as `insufficient_credit`. Null while lines are accepted. */
      readonly waiting_for: components["schemas"]["JobError"] | null;
      /** @description Why the batch was stopped, such as `unauthorized` for a revoked key. */
      readonly error: components["schemas"]["JobError"] | null;
    };
    /**
     * @description `completed`: every line has ended, each with its own status. `failed`: the batch was stopped, and lines that were not accepted failed with its `error`. `completed`, `failed` and `cancelled` are final.
     * @enum {string}
     */
    readonly BatchStatus: "processing" | "cancelling" | "completed" | "failed" | "cancelled";
    /** @description The number of lines in each state. */
    readonly BatchCounts: {
      readonly total: number;
      /** @description Lines that are not accepted yet. */
      readonly waiting: number;
      /** @description Lines whose job is unfinished. */
      readonly processing: number;
      readonly completed: number;
      /** @description Lines that were refused, or whose job failed. */
      readonly failed: number;
      readonly cancelled: number;
    };
    readonly NewCharacter: {
      /** @example Mira */
      readonly name: string;
      /**
       * Format: uuid
       * @description The id of a completed story, with the `name` that it uses. Description and images are those of the story.
       */
      readonly story_job_id?: string | null;
      /** @description Its appearance. */
      readonly description?: string | null;
      /** @description Its image: an upload, an image of a job, or a signed URL of this service. Required without `story_job_id` and `model`. */
      readonly reference?: components["schemas"]["ImageSource"] | null;
      /** @description Other looks of the character, by the keys that scenes use. */
      readonly states?: {
        readonly [key: string]: {
          /** @description How the character looks in this state. */
          readonly description: string;
          /** @description Required without `model`. */
          readonly reference?: components["schemas"]["ImageSource"] | null;
        };
      } | null;
      /**
       * @description An `id` of `GET /v1/models` with `supports_multiturn`: it draws the images from the descriptions, at the price of an image each.
       * @example builtin-illustrator
       */
      readonly model?: string | null;
      /** @description With `model`: the visual style. */
      readonly style?: string | null;
      /** @description Start value of the model, for models whose `supports_seed` is true. The same request with the same seed makes the same or a similar image. The files differ: each has its own watermark and manifest. Default: a random one, returned as `seed`. */
      readonly seed?: number | null;
    };
    readonly ChangeCharacter: {
      /** @description Its new name. */
      readonly name?: string;
      /** @description Its new appearance. */
      readonly description?: string;
      /** @description Its new image: an upload, an image of a job, or a signed URL of this service. */
      readonly reference?: components["schemas"]["ImageSource"];
      /** @description States to add or change, by their keys; null removes one. At most 5 may remain. */
      readonly states?: {
        readonly [key: string]: {
          /** @description How the character looks in this state. Required for a new one. */
          readonly description?: string;
          /** @description Required for a new state. */
          readonly reference?: components["schemas"]["ImageSource"];
        } | null;
      };
    };
    readonly NewLocation: {
      /** @example Harbour */
      readonly name: string;
      /**
       * Format: uuid
       * @description The id of a completed story, with the `name` that it uses. Description and images are those of the story.
       */
      readonly story_job_id?: string | null;
      /** @description How it looks. */
      readonly description?: string | null;
      /** @description Its image: an upload, an image of a job, or a signed URL of this service. Required without `story_job_id` and `model`. */
      readonly reference?: components["schemas"]["ImageSource"] | null;
      /**
       * @description An `id` of `GET /v1/models` with `supports_multiturn`: it draws the images from the descriptions, at the price of an image each.
       * @example builtin-illustrator
       */
      readonly model?: string | null;
      /** @description With `model`: the visual style. */
      readonly style?: string | null;
      /** @description Start value of the model, for models whose `supports_seed` is true. The same request with the same seed makes the same or a similar image. The files differ: each has its own watermark and manifest. Default: a random one, returned as `seed`. */
      readonly seed?: number | null;
    };
    readonly ChangeLocation: {
      /** @description Its new name. */
      readonly name?: string;
      /** @description Its new appearance. */
      readonly description?: string;
      /** @description Its new image: an upload, an image of a job, or a signed URL of this service. */
      readonly reference?: components["schemas"]["ImageSource"];
    };
    readonly ChangeCollectionRequest: {
      /** @description The new name. */
      readonly name?: string;
      /** @description Ids of jobs to add; those that it has already stay. */
      readonly add?: readonly string[];
      /** @description Ids of jobs to remove; others are ignored. */
      readonly remove?: readonly string[];
    };
    readonly NewPreset: {
      /** @example Cover in watercolour */
      readonly name: string;
      /**
       * @description The operation whose requests it is for.
       * @enum {string}
       */
      readonly operation:
        | "image"
        | "story"
        | "scene"
        | "edit"
        | "combine"
        | "graphic"
        | "diagram"
        | "upscale"
        | "remove-background"
        | "outpaint"
        | "erase"
        | "vectorize"
        | "variations";
      /** @description Some or all properties of a request of this operation, at most 40,000 bytes as JSON. They are stored as they are and checked when a request with them is sent. */
      readonly request: {
        readonly [key: string]: unknown;
      };
      /** @description A small WebP, JPEG or PNG file of at most 8,192 bytes in base64, which is stored with the preset. Studio offers presets of images that have a picture as styles: it adds their prompt to another one. */
      readonly picture?: ((string & (unknown & unknown)) | null) & (unknown & unknown);
    };
    readonly ImprovePromptRequest: {
      /**
       * @description The prompt to rewrite.
       * @example a cat on a roof
       */
      readonly prompt: string;
      /** @description Visual style that the texts must suit. */
      readonly style?: string | null;
    };
    readonly DraftStoryRequest: {
      /**
       * @description The story in a sentence or two.
       * @example A shy fox learns to sing
       */
      readonly idea: string;
      /** @description Number of scenes. Default: 4. */
      readonly scenes?: number | null;
      /** @description Language of all texts (ISO 639-1). Default: that of the idea. */
      readonly language?: ("en" | "de" | "fr" | "es" | "it" | "pt") | null;
      /** @description Visual style that the texts must suit. */
      readonly style?: string | null;
    };
    readonly NewShare: {
      /**
       * Format: uuid
       * @description The id of a completed job of a live key.
       * @example 019a9f3c-5f0e-7c31-9b7d-3f5a2c8e1d46
       */
      readonly job_id: string;
      /** @description Which of its images or scenes, from 0. Omit it to share all of them. */
      readonly image?: number | null;
      /**
       * @description How long the link shows the images, in days.
       * @example 7
       */
      readonly days: number;
      /** @description Also keep the images of the job, as `POST /v1/jobs/{id}/keep` does; they stay kept after the end of the link. Without it, the link ends with the images. Default: false. */
      readonly keep?: boolean | null;
    };
    readonly CreateWebhookRequest: {
      /**
       * Format: uri
       * @description Where events are sent: a public HTTPS URL on port 443.
       * @example https://example.com/atelier
       */
      readonly url: string;
      /** @description The types of events that it receives. Events of jobs need the scope `read`. */
      readonly events: readonly components["schemas"]["EventType"][];
      /** @description Shown in lists. */
      readonly description?: string | null;
    };
    /**
     * @description `job.updated`: the job was accepted or started. `job.image_completed`: one of its images is done. `job.completed`, `job.failed`, `job.cancelled`: the job is final. `account.balance_low`: the balance fell below the account's `low_balance_eur`. `batch.completed`: every line of a batch has ended. `budget.low`: the jobs of a shared budget reached 80 % of it, once in each of its periods.
     * @enum {string}
     */
    readonly EventType:
      | "job.updated"
      | "job.image_completed"
      | "job.completed"
      | "job.failed"
      | "job.cancelled"
      | "account.balance_low"
      | "batch.completed"
      | "budget.low";
    readonly UpdateWebhookRequest: {
      /**
       * Format: uri
       * @description Where events are sent: a public HTTPS URL on port 443.
       * @example https://example.com/atelier
       */
      readonly url?: string;
      /** @description The types of events that it receives. Events of jobs need the scope `read`. */
      readonly events?: readonly components["schemas"]["EventType"][];
      /** @description Shown in lists. */
      readonly description?: string | null;
      /** @description False ends deliveries, and the pending ones fail; true starts with new events. */
      readonly enabled?: boolean;
    };
    readonly UpdateAccountRequest: {
      /** @description The level of moderation of requests that do not set one. */
      readonly strictness?: components["schemas"]["Strictness"];
      /** @description Retention of the images of a final job in hours, at most `max_retention_hours`. Null selects the maximum. Also applies to existing images: a shorter one deletes those that are older. */
      readonly retention_hours?: number | null;
      /** @description Send the event `account.balance_low` when `balance_eur` falls below this amount. Null disables the event. */
      readonly low_balance_eur?: string | null;
      /** @description The language of Studio for this account. Null selects that of the browser. */
      readonly language?: ("en" | "de") | null;
      /** @description Whether starring a job also keeps its images, as `POST /v1/jobs/{id}/keep` does. Those that have a star already are not changed, and neither does removing a star change what is kept. */
      readonly keep_starred?: boolean;
      /** @description Whether members with the role `maker` read all jobs, usage and transactions of the account, not only their own jobs. They still change only their own. */
      readonly makers_read_all?: boolean;
    };
    readonly QuoteRequest: {
      /**
       * @description What is requested: one image or several, a story, one of its scenes again, an edit, a combination, a graphic or a diagram.
       * @enum {string}
       */
      readonly operation:
        | "image"
        | "story"
        | "scene"
        | "edit"
        | "combine"
        | "graphic"
        | "diagram"
        | "upscale"
        | "remove-background"
        | "outpaint"
        | "erase"
        | "vectorize"
        | "variations";
      /** @description The request as it would be sent. It is validated in the same way. */
      readonly request: {
        readonly [key: string]: unknown;
      };
      /** @description Whether it is a request of a batch, which may cost less. Default: false. */
      readonly in_batch?: boolean | null;
    };
    readonly CreateKeyRequest: {
      /**
       * @description Shown in lists.
       * @example Claude on my laptop
       */
      readonly name: string;
      /** @description `test` for a key that begins with `atl_test_`, accepts any model id and costs nothing. Default: the mode of the key that creates it. It never changes, and a test key creates test keys only. */
      readonly mode?: components["schemas"]["KeyMode"] | null;
      /** @description What the key may do. */
      readonly scopes?: readonly components["schemas"]["KeyScope"][] | null;
      /** @description The models that the key may use, by ids of `GET /v1/models`; null for all. An unknown id is refused. */
      readonly models?: readonly string[] | null;
      readonly budget?: components["schemas"]["KeyBudget"] | null;
      /** @description The shared budget that the jobs of the key spend from as well, by its id of `GET /v1/budgets`; null for none. */
      readonly budget_id?: string | null;
      /** @description From then on the key is refused; null for never. */
      readonly expires_at?: string | null;
    };
    /**
     * @description `generate`: request images and stories, and read the jobs that this key requested. `read`: read all jobs, usage and files of the account. `manage`: create, change and revoke keys and webhooks, and change the account.
     * @enum {string}
     */
    readonly KeyScope: "generate" | "read" | "manage";
    /** @description What the jobs of this key may cost in a period, unfinished jobs included. */
    readonly KeyBudget: {
      /**
       * @description An amount in EUR, with up to 6 decimals.
       * @example 5.00
       */
      readonly eur: string;
      /**
       * @description `day` and `month` begin at midnight UTC. `total` never starts again.
       * @default total
       * @enum {string}
       */
      readonly period: "total" | "day" | "month";
    };
    readonly UpdateKeyRequest: {
      readonly name?: string;
      /** @description What the key may do. */
      readonly scopes?: readonly components["schemas"]["KeyScope"][];
      /** @description The models that the key may use, by ids of `GET /v1/models`; null for all. An unknown id is refused. */
      readonly models?: readonly string[] | null;
      readonly budget?: components["schemas"]["KeyBudget"] | null;
      /** @description The shared budget that the jobs of the key spend from as well, by its id of `GET /v1/budgets`; null for none. */
      readonly budget_id?: string | null;
      /** @description From then on the key is refused; null for never. */
      readonly expires_at?: string | null;
    };
    readonly NewBudget: {
      /** @example Design team */
      readonly name: string;
      /**
       * @description What the jobs of its keys may cost together in a period, in EUR.
       * @example 100.00
       */
      readonly eur: string;
      /** @description `day`, `week` and `month` begin at midnight UTC, a week on Monday. `total` never starts again. */
      readonly period?: ("total" | "day" | "week" | "month") | null;
    };
    readonly UpdateBudgetRequest: {
      readonly name?: string;
      /**
       * @description What the jobs of its keys may cost together in a period, in EUR.
       * @example 100.00
       */
      readonly eur?: string;
    };
    readonly InviteMemberRequest: {
      /**
       * @description Shown in lists.
       * @example Mira Lindqvist
       */
      readonly name: string;
      readonly email?: string | null;
      readonly role: components["schemas"]["MemberRole"];
    };
    /**
     * @description `owner`: everything, with the settings of the account. `manager`: keys, budgets, webhooks and makers. `maker`: request images and stories, and read its own jobs, or all of them where `makers_read_all` of the account is true.
     * @enum {string}
     */
    readonly MemberRole: "owner" | "manager" | "maker";
    readonly UpdateMemberRequest: {
      readonly name?: string;
      readonly email?: string | null;
      readonly role?: components["schemas"]["MemberRole"];
    };
    readonly HandOverRequest: {
      /**
       * Format: uuid
       * @description The id of the member who receives them.
       */
      readonly to: string;
    };
    /** @description The image of a request, or its images. */
    readonly ImageResult: {
      /**
       * Format: uuid
       * @description The id of the job.
       */
      readonly id: string;
      /** @description The model that was used. */
      readonly model: string;
      /**
       * @description Always true: a trained model made the image, or it was made by rules and marked as synthetic (EU AI Act, Art. 50).
       * @constant
       */
      readonly ai_generated: true;
      /**
       * @description The amount charged.
       * @example 0.04
       */
      readonly cost_eur: string;
      /**
       * @description The balance after the charge, or the rest of the budget of its key if that is less; 0.00 for a test.
       * @example 0.04
       */
      readonly balance_eur: string;
      /** @description The seed of the first image, also if the service chose it. Absent for jobs from before seeds were recorded. */
      readonly seed?: number;
      /** @description The size of the image to change, when it was scaled down to 16.7 megapixels (4096 × 4096) before; margins and sizes refer to what it was scaled to. Absent when it was used as it is, and in quotes for a URL of another server. */
      readonly scaled_from?: {
        /** @description In pixels. */
        readonly width: number;
        readonly height: number;
      };
      /**
       * @description What of the request had no effect: words that a model which draws by rules cannot read, commands of an engine in a prompt, characters, states and locations that no scene of a story names, and references that no image was made with. Absent when there is nothing to say.
       * @example [
       *       "<lora:detail:1> in the prompt has no effect: prompts cannot set options of an engine. Use parameters."
       *     ]
       */
      readonly warnings?: readonly string[];
      /**
       * Format: uri
       * @description A signed URL of the PNG, of several images of the first. Expires in 1 hour.
       */
      readonly image_url: string;
      /**
       * Format: uri
       * @description A signed URL of a WebP of at most 512 pixels, signed and marked like the image. Absent after it was deleted, and for images from before there were thumbnails.
       */
      readonly thumbnail_url?: string;
      /** @description SHA-256 of the PNG, of several images of the first. */
      readonly image_hash: string;
      /** @description In pixels. */
      readonly width: number;
      readonly height: number;
      /** @description The marks of all files of the image: signed metadata, a watermark in the pixels, and a record in the registry (file hash and fingerprint). Images that are too small or mostly transparent have no watermark. */
      readonly layers: readonly ("c2pa" | "watermark" | "registry")[];
      readonly formats: components["schemas"]["Formats"];
      /** @description Signed URLs of all images, as PNG. */
      readonly image_urls?: readonly string[];
      /** @description SHA-256 of all images, as PNG. */
      readonly image_hashes?: readonly string[];
      /** @description Only for requests with `n` above 1: every image, in order. */
      readonly images?: readonly components["schemas"]["ImageOfResult"][];
    };
    /** @description The image in each format: `png` always, `jpeg` and `webp` unless `output.formats` leaves them out, `svg` only for models whose `supports_svg` is true. */
    readonly Formats: {
      readonly png: components["schemas"]["FormatVariant"];
      readonly jpeg?: components["schemas"]["FormatVariant"];
      readonly webp?: components["schemas"]["FormatVariant"];
      readonly svg?: components["schemas"]["FormatVariant"];
    };
    /** @description One of several images of a prompt. */
    readonly ImageOfResult: {
      /** @description Position in the result, from 0. */
      readonly index: number;
      readonly seed: number;
      /**
       * Format: uri
       * @description A signed URL. Expires in 1 hour.
       */
      readonly image_url: string;
      /**
       * Format: uri
       * @description A signed URL of a WebP of at most 512 pixels, signed and marked like the image. Absent after it was deleted, and for images from before there were thumbnails.
       */
      readonly thumbnail_url?: string;
      /** @description SHA-256 of the file, in hexadecimal. */
      readonly image_hash: string;
      /** @description In pixels. */
      readonly width: number;
      readonly height: number;
      /** @description The marks of all files of the image: signed metadata, a watermark in the pixels, and a record in the registry (file hash and fingerprint). Images that are too small or mostly transparent have no watermark. */
      readonly layers: readonly ("c2pa" | "watermark" | "registry")[];
      readonly formats: components["schemas"]["Formats"];
    };
    /** @description The generation is accepted and unfinished. */
    readonly JobAccepted: {
      /** Format: uuid */
      readonly job_id: string;
      /**
       * Format: uri
       * @description Poll this with `GET` until the job is final.
       */
      readonly poll_url: string;
      /** @constant */
      readonly status: "pending";
    };
    /** @description The combinations of a request. */
    readonly CombinedResult: {
      /**
       * Format: uuid
       * @description The id of the job.
       */
      readonly id: string;
      /** @description The model that was used. */
      readonly model: string;
      /**
       * @description Always true: a trained model made the image, or it was made by rules and marked as synthetic (EU AI Act, Art. 50).
       * @constant
       */
      readonly ai_generated: true;
      /**
       * @description The amount charged.
       * @example 0.04
       */
      readonly cost_eur: string;
      /**
       * @description The balance after the charge, or the rest of the budget of its key if that is less; 0.00 for a test.
       * @example 0.04
       */
      readonly balance_eur: string;
      /** @description The seed of the first image, also if the service chose it. Absent for jobs from before seeds were recorded. */
      readonly seed?: number;
      /** @description The size of the image to change, when it was scaled down to 16.7 megapixels (4096 × 4096) before; margins and sizes refer to what it was scaled to. Absent when it was used as it is, and in quotes for a URL of another server. */
      readonly scaled_from?: {
        /** @description In pixels. */
        readonly width: number;
        readonly height: number;
      };
      /**
       * @description What of the request had no effect: words that a model which draws by rules cannot read, commands of an engine in a prompt, characters, states and locations that no scene of a story names, and references that no image was made with. Absent when there is nothing to say.
       * @example [
       *       "<lora:detail:1> in the prompt has no effect: prompts cannot set options of an engine. Use parameters."
       *     ]
       */
      readonly warnings?: readonly string[];
      /**
       * Format: uri
       * @description A signed URL of the PNG, of several images of the first. Expires in 1 hour.
       */
      readonly image_url: string;
      /**
       * Format: uri
       * @description A signed URL of a WebP of at most 512 pixels, signed and marked like the image. Absent after it was deleted, and for images from before there were thumbnails.
       */
      readonly thumbnail_url?: string;
      /** @description SHA-256 of the PNG, of several images of the first. */
      readonly image_hash: string;
      /** @description In pixels. */
      readonly width: number;
      readonly height: number;
      /** @description The marks of all files of the image: signed metadata, a watermark in the pixels, and a record in the registry (file hash and fingerprint). Images that are too small or mostly transparent have no watermark. */
      readonly layers: readonly ("c2pa" | "watermark" | "registry")[];
      readonly formats: components["schemas"]["Formats"];
      /** @description Signed URLs of all images, as PNG. */
      readonly image_urls: readonly string[];
      /** @description SHA-256 of all images, as PNG. */
      readonly image_hashes: readonly string[];
      /** @description Every image, in order. */
      readonly images: readonly components["schemas"]["ImageOfResult"][];
    };
    /** @description The diagram of a request. */
    readonly DiagramResult: {
      /**
       * Format: uuid
       * @description The id of the job.
       */
      readonly id: string;
      /** @description The model that was used. */
      readonly model: string;
      /**
       * @description Always true: a trained model made the image, or it was made by rules and marked as synthetic (EU AI Act, Art. 50).
       * @constant
       */
      readonly ai_generated: true;
      /**
       * @description The amount charged.
       * @example 0.04
       */
      readonly cost_eur: string;
      /**
       * @description The balance after the charge, or the rest of the budget of its key if that is less; 0.00 for a test.
       * @example 0.04
       */
      readonly balance_eur: string;
      /** @description The seed of the first image, also if the service chose it. Absent for jobs from before seeds were recorded. */
      readonly seed?: number;
      /** @description The size of the image to change, when it was scaled down to 16.7 megapixels (4096 × 4096) before; margins and sizes refer to what it was scaled to. Absent when it was used as it is, and in quotes for a URL of another server. */
      readonly scaled_from?: {
        /** @description In pixels. */
        readonly width: number;
        readonly height: number;
      };
      /**
       * @description What of the request had no effect: words that a model which draws by rules cannot read, commands of an engine in a prompt, characters, states and locations that no scene of a story names, and references that no image was made with. Absent when there is nothing to say.
       * @example [
       *       "<lora:detail:1> in the prompt has no effect: prompts cannot set options of an engine. Use parameters."
       *     ]
       */
      readonly warnings?: readonly string[];
      /**
       * Format: uri
       * @description A signed URL of the PNG, of several images of the first. Expires in 1 hour.
       */
      readonly image_url: string;
      /**
       * Format: uri
       * @description A signed URL of a WebP of at most 512 pixels, signed and marked like the image. Absent after it was deleted, and for images from before there were thumbnails.
       */
      readonly thumbnail_url?: string;
      /** @description SHA-256 of the PNG, of several images of the first. */
      readonly image_hash: string;
      /** @description In pixels. */
      readonly width: number;
      readonly height: number;
      /** @description The marks of all files of the image: signed metadata, a watermark in the pixels, and a record in the registry (file hash and fingerprint). Images that are too small or mostly transparent have no watermark. */
      readonly layers: readonly ("c2pa" | "watermark" | "registry")[];
      readonly formats: {
        readonly png: components["schemas"]["FormatVariant"];
        readonly jpeg?: components["schemas"]["FormatVariant"];
        readonly webp?: components["schemas"]["FormatVariant"];
        readonly svg: components["schemas"]["FormatVariant"];
      };
    };
    /** @description The traced image of a request. */
    readonly TracedResult: {
      /**
       * Format: uuid
       * @description The id of the job.
       */
      readonly id: string;
      /** @description The model that was used. */
      readonly model: string;
      /**
       * @description Always true: a trained model made the image, or it was made by rules and marked as synthetic (EU AI Act, Art. 50).
       * @constant
       */
      readonly ai_generated: true;
      /**
       * @description The amount charged.
       * @example 0.04
       */
      readonly cost_eur: string;
      /**
       * @description The balance after the charge, or the rest of the budget of its key if that is less; 0.00 for a test.
       * @example 0.04
       */
      readonly balance_eur: string;
      /** @description The seed of the first image, also if the service chose it. Absent for jobs from before seeds were recorded. */
      readonly seed?: number;
      /** @description The size of the image to change, when it was scaled down to 16.7 megapixels (4096 × 4096) before; margins and sizes refer to what it was scaled to. Absent when it was used as it is, and in quotes for a URL of another server. */
      readonly scaled_from?: {
        /** @description In pixels. */
        readonly width: number;
        readonly height: number;
      };
      /**
       * @description What of the request had no effect: words that a model which draws by rules cannot read, commands of an engine in a prompt, characters, states and locations that no scene of a story names, and references that no image was made with. Absent when there is nothing to say.
       * @example [
       *       "<lora:detail:1> in the prompt has no effect: prompts cannot set options of an engine. Use parameters."
       *     ]
       */
      readonly warnings?: readonly string[];
      /**
       * Format: uri
       * @description A signed URL of the PNG, of several images of the first. Expires in 1 hour.
       */
      readonly image_url: string;
      /**
       * Format: uri
       * @description A signed URL of a WebP of at most 512 pixels, signed and marked like the image. Absent after it was deleted, and for images from before there were thumbnails.
       */
      readonly thumbnail_url?: string;
      /** @description SHA-256 of the PNG, of several images of the first. */
      readonly image_hash: string;
      /** @description In pixels. */
      readonly width: number;
      readonly height: number;
      /** @description The marks of all files of the image: signed metadata, a watermark in the pixels, and a record in the registry (file hash and fingerprint). Images that are too small or mostly transparent have no watermark. */
      readonly layers: readonly ("c2pa" | "watermark" | "registry")[];
      readonly formats: {
        readonly png: components["schemas"]["FormatVariant"];
        readonly jpeg?: components["schemas"]["FormatVariant"];
        readonly webp?: components["schemas"]["FormatVariant"];
        readonly svg: components["schemas"]["FormatVariant"];
      };
    };
    readonly JobList: {
      /** @description Newest first. */
      readonly jobs: readonly components["schemas"]["ListedJob"][];
      /** @description Null on the last page. */
      readonly next_cursor: string | null;
    };
    /** @description A job of a list: its prompt instead of its request. */
    readonly ListedJob: {
      /** Format: uuid */
      readonly id: string;
      /** @enum {string} */
      readonly kind: "image" | "story";
      /**
       * @description What was requested. Only a story has the kind `story`.
       * @enum {string}
       */
      readonly operation:
        | "image"
        | "story"
        | "scene"
        | "edit"
        | "combine"
        | "graphic"
        | "diagram"
        | "upscale"
        | "remove-background"
        | "outpaint"
        | "erase"
        | "vectorize"
        | "variations";
      readonly status: components["schemas"]["JobStatus"];
      readonly mode: components["schemas"]["KeyMode"];
      readonly model: string;
      /** @description The key that requested it. Null if it was not recorded. */
      readonly key: {
        /** Format: uuid */
        readonly id: string;
        readonly name: string;
      } | null;
      /** @description The title that `PATCH /v1/jobs/{id}` gave it, or else that of the story; null without one. */
      readonly title: string | null;
      /** @description Whether `PATCH /v1/jobs/{id}` starred it. */
      readonly starred: boolean;
      /** @description The `metadata` of the request. */
      readonly metadata: {
        readonly [key: string]: string;
      };
      /** @description The image of a job that this job changes; null for others. */
      readonly source: {
        /** Format: uuid */
        readonly job_id: string;
        /** @description Its position in the result, from 0. */
        readonly image: number;
        /** @description The first 200 characters of its title or prompt; of a result of a tool, those of the image before. Null without one, after the texts were removed, for jobs that the key may not read, and in events and webhooks. */
        readonly prompt: string | null;
      } | null;
      /** @description The seed of the first image. Null if it was not recorded. */
      readonly seed: number | null;
      /** Format: date-time */
      readonly created_at: string;
      readonly started_at: string | null;
      readonly completed_at: string | null;
      /** @description Only while pending: estimated seconds until the first image is started; null when unknown. */
      readonly estimated_wait_seconds?: number | null;
      /** @description Only while an image is made by an engine that reports it (ComfyUI, AUTOMATIC1111), in `GET /v1/jobs/{id}`: the image that was reported last. */
      readonly progress?: components["schemas"]["RenderProgress"];
      /**
       * @description The amount charged; 0.00 unless completed.
       * @example 0.04
       */
      readonly cost_eur: string;
      /** @description Null unless the job is a story. */
      readonly scenes_total: number | null;
      /** @description The number of scenes done. Null unless the job is a story. */
      readonly scenes_completed: number | null;
      /** @description Number of images to make, with the portraits and locations of a story. */
      readonly renders_total: number;
      /** @description The number of these that are done. */
      readonly renders_completed: number;
      /** @description Whether the images are kept until they are deleted; null if not. */
      readonly keep: components["schemas"]["JobKeep"] | null;
      /** @description Only for jobs with several images to make: each of them, also before completion. */
      readonly renders?: readonly components["schemas"]["RenderState"][];
      /** @description The first 200 characters of the prompt. Null for a story without one. */
      readonly prompt: string | null;
      /** @description Only when completed. Every read returns new signed URLs. */
      readonly result: components["schemas"]["GenerationResponse"] | null;
      /** @description Only when failed. */
      readonly error: components["schemas"]["JobError"] | null;
    };
    /** @description An image of a job, and how far it is. */
    readonly RenderState: {
      /** @enum {string} */
      readonly role: "image" | "portrait" | "state" | "location" | "scene";
      /** @description The character or location it shows. */
      readonly name: string | null;
      /** @description The key of the character's state. */
      readonly state?: string;
      /** @description Position in the story, from 1. */
      readonly scene?: number;
      readonly status: components["schemas"]["JobStatus"];
      /**
       * Format: uri
       * @description A signed URL of a WebP of at most 512 pixels, signed and marked like the image. Absent after it was deleted, and for images from before there were thumbnails.
       */
      readonly thumbnail_url?: string;
    };
    /** @description The result: one image, or all images of a story. */
    readonly GenerationResponse: {
      /**
       * Format: uuid
       * @description The id of the job.
       */
      readonly id: string;
      /** @description The model that was used. */
      readonly model: string;
      /**
       * @description Always true: a trained model made the image, or it was made by rules and marked as synthetic (EU AI Act, Art. 50).
       * @constant
       */
      readonly ai_generated: true;
      /**
       * @description The amount charged.
       * @example 0.04
       */
      readonly cost_eur: string;
      /**
       * @description The balance after the charge, or the rest of the budget of its key if that is less; 0.00 for a test.
       * @example 0.04
       */
      readonly balance_eur: string;
      /** @description The seed of the first image, also if the service chose it. Absent for jobs from before seeds were recorded. */
      readonly seed?: number;
      /**
       * Format: uri
       * @description A signed URL of the PNG, of several images of the first. Expires in 1 hour. Omitted for stories.
       */
      readonly image_url?: string;
      /**
       * Format: uri
       * @description A signed URL of a WebP of at most 512 pixels, signed and marked like the image. Absent after it was deleted, and for images from before there were thumbnails.
       */
      readonly thumbnail_url?: string;
      /** @description SHA-256 of the PNG, of several images of the first. Omitted for stories. */
      readonly image_hash?: string;
      /** @description In pixels, of several images of the first. Omitted for stories. */
      readonly width?: number;
      readonly height?: number;
      /** @description The marks of the image, of several images of the first. Omitted for stories. */
      readonly layers?: readonly ("c2pa" | "watermark" | "registry")[];
      /** @description Signed URLs of all images, or of all scenes of a story, as PNG. */
      readonly image_urls?: readonly string[];
      /** @description SHA-256 of all images, or of all scenes of a story, as PNG. */
      readonly image_hashes?: readonly string[];
      /** @description Only for requests with `n` above 1 and for combinations: every image, in order. */
      readonly images?: readonly components["schemas"]["GeneratedImage"][];
      /** @description The image in each format; `svg` only for models whose `supports_svg` is true. Absent after the files were deleted. */
      readonly formats?: {
        readonly png?: components["schemas"]["FormatVariant"];
        readonly jpeg?: components["schemas"]["FormatVariant"];
        readonly webp?: components["schemas"]["FormatVariant"];
        readonly svg?: components["schemas"]["FormatVariant"];
      };
      /** @description Stories only. */
      readonly scenes?: readonly components["schemas"]["Scene"][];
      /** @description Stories only: the portrait of each character and state. */
      readonly characters?: readonly components["schemas"]["Reference"][];
      /** @description Stories only: the image of each location. */
      readonly locations?: readonly components["schemas"]["Reference"][];
      /** @description Stories only: the requested title, or a generated one. */
      readonly title?: string;
      /** @description The size of the image to change, when it was scaled down to 16.7 megapixels (4096 × 4096) before; margins and sizes refer to what it was scaled to. Absent when it was used as it is, and in quotes for a URL of another server. */
      readonly scaled_from?: {
        /** @description In pixels. */
        readonly width: number;
        readonly height: number;
      };
      /**
       * @description What of the request had no effect: words that a model which draws by rules cannot read, commands of an engine in a prompt, characters, states and locations that no scene of a story names, and references that no image was made with. Absent when there is nothing to say.
       * @example [
       *       "<lora:detail:1> in the prompt has no effect: prompts cannot set options of an engine. Use parameters."
       *     ]
       */
      readonly warnings?: readonly string[];
    };
    readonly Scene: {
      /** @description Position in the story, from 1. */
      readonly scene: number;
      /** @description A short generated title. */
      readonly title: string;
      /**
       * Format: uri
       * @description A signed URL. Expires in 1 hour.
       */
      readonly image_url?: string;
      /**
       * Format: uri
       * @description A signed URL of a WebP of at most 512 pixels, signed and marked like the image. Absent after it was deleted, and for images from before there were thumbnails.
       */
      readonly thumbnail_url?: string;
      /** @description SHA-256 of the file, in hexadecimal. */
      readonly image_hash: string;
      /** @description In pixels. */
      readonly width: number;
      readonly height: number;
      /** @description The marks of all files of the image: signed metadata, a watermark in the pixels, and a record in the registry (file hash and fingerprint). Images that are too small or mostly transparent have no watermark. */
      readonly layers: readonly ("c2pa" | "watermark" | "registry")[];
      /**
       * Format: date-time
       * @description When `image_url` expires.
       */
      readonly expires_at?: string;
      /** @description The image in each format; `svg` only for models whose `supports_svg` is true. Absent after the files were deleted. */
      readonly formats?: {
        readonly png?: components["schemas"]["FormatVariant"];
        readonly jpeg?: components["schemas"]["FormatVariant"];
        readonly webp?: components["schemas"]["FormatVariant"];
        readonly svg?: components["schemas"]["FormatVariant"];
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
       * @description The reference image; a signed URL if the service made it.
       */
      readonly reference_url?: string;
      /** @description The width of the reference image in pixels. Absent, like `height`, for an image at a URL of another server, and after it was deleted. */
      readonly width?: number;
      readonly height?: number;
      /** @description When `reference_url` expires. Null if the client supplied the reference. Absent, like `reference_url`, after the image was deleted. */
      readonly expires_at?: string | null;
    };
    /** @description An accepted generation, with its status and result. */
    readonly Job: {
      /** Format: uuid */
      readonly id: string;
      /** @enum {string} */
      readonly kind: "image" | "story";
      /**
       * @description What was requested. Only a story has the kind `story`.
       * @enum {string}
       */
      readonly operation:
        | "image"
        | "story"
        | "scene"
        | "edit"
        | "combine"
        | "graphic"
        | "diagram"
        | "upscale"
        | "remove-background"
        | "outpaint"
        | "erase"
        | "vectorize"
        | "variations";
      readonly status: components["schemas"]["JobStatus"];
      readonly mode: components["schemas"]["KeyMode"];
      readonly model: string;
      /** @description The key that requested it. Null if it was not recorded. */
      readonly key: {
        /** Format: uuid */
        readonly id: string;
        readonly name: string;
      } | null;
      /** @description The title that `PATCH /v1/jobs/{id}` gave it, or else that of the story; null without one. */
      readonly title: string | null;
      /** @description Whether `PATCH /v1/jobs/{id}` starred it. */
      readonly starred: boolean;
      /** @description The `metadata` of the request. */
      readonly metadata: {
        readonly [key: string]: string;
      };
      /** @description The image of a job that this job changes; null for others. */
      readonly source: {
        /** Format: uuid */
        readonly job_id: string;
        /** @description Its position in the result, from 0. */
        readonly image: number;
        /** @description The first 200 characters of its title or prompt; of a result of a tool, those of the image before. Null without one, after the texts were removed, for jobs that the key may not read, and in events and webhooks. */
        readonly prompt: string | null;
      } | null;
      /** @description The seed of the first image. Null if it was not recorded. */
      readonly seed: number | null;
      /** Format: date-time */
      readonly created_at: string;
      readonly started_at: string | null;
      readonly completed_at: string | null;
      /** @description Only while pending: estimated seconds until the first image is started; null when unknown. */
      readonly estimated_wait_seconds?: number | null;
      /** @description Only while an image is made by an engine that reports it (ComfyUI, AUTOMATIC1111), in `GET /v1/jobs/{id}`: the image that was reported last. */
      readonly progress?: components["schemas"]["RenderProgress"];
      /**
       * @description The amount charged; 0.00 unless completed.
       * @example 0.04
       */
      readonly cost_eur: string;
      /** @description Null unless the job is a story. */
      readonly scenes_total: number | null;
      /** @description The number of scenes done. Null unless the job is a story. */
      readonly scenes_completed: number | null;
      /** @description Number of images to make, with the portraits and locations of a story. */
      readonly renders_total: number;
      /** @description The number of these that are done. */
      readonly renders_completed: number;
      /** @description Whether the images are kept until they are deleted; null if not. */
      readonly keep: components["schemas"]["JobKeep"] | null;
      /** @description Only for jobs with several images to make: each of them, also before completion. */
      readonly renders?: readonly components["schemas"]["RenderState"][];
      /** @description The object that `PATCH /v1/jobs/{id}` stored; null without one. */
      readonly book: {
        readonly [key: string]: unknown;
      } | null;
      /** @description The request as understood: with its defaults, without `metadata`, and reference URLs without their query. */
      readonly request: {
        readonly [key: string]: unknown;
      };
      /** @description Only when completed. Every read returns new signed URLs. */
      readonly result: components["schemas"]["GenerationResponse"] | null;
      /** @description Only when failed. */
      readonly error: components["schemas"]["JobError"] | null;
    };
    /** @description The jobs whose images an account keeps until it deletes them. */
    readonly KeptList: {
      /** @description What the account keeps. */
      readonly used_bytes: number;
      /** @description What it may keep at most. */
      readonly quota_bytes: number;
      /** @description The newest job first. */
      readonly kept: readonly components["schemas"]["KeptJob"][];
      /** @description Null on the last page. */
      readonly next_cursor: string | null;
    };
    readonly KeptJob: {
      /** Format: uuid */
      readonly job_id: string;
      /**
       * @description `pending`: kept when the job is completed, or being copied. `refused`: the quota was used up when the job was completed, or it made no images; the images follow the retention of the account.
       * @enum {string}
       */
      readonly status: "pending" | "kept" | "refused";
      readonly size_bytes: number;
      /**
       * Format: date-time
       * @description When it was requested.
       */
      readonly kept_since: string;
    };
    readonly BatchList: {
      /** @description Newest first. */
      readonly batches: readonly components["schemas"]["Batch"][];
      /** @description Null on the last page. */
      readonly next_cursor: string | null;
    };
    /** @description An image that requests can refer to. */
    readonly Upload: {
      /**
       * Format: uuid
       * @description The `upload_id` of requests.
       */
      readonly id: string;
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
      /**
       * Format: date-time
       * @description When the upload is deleted, unless an unfinished job uses it. `DELETE` does so earlier.
       */
      readonly kept_until: string;
      /** @description SHA-256 of the file, in hexadecimal. */
      readonly hash: string;
      readonly size_bytes: number;
      /** @description In pixels, as displayed: after the orientation in the file's EXIF data. */
      readonly width: number;
      readonly height: number;
      /** @enum {string} */
      readonly format: "png" | "jpeg" | "webp" | "avif";
    };
    /** @description A character that stays until it is deleted. */
    readonly KeptCharacter: {
      /** Format: uuid */
      readonly id: string;
      readonly name: string;
      /**
       * @description `pending`: its images are being drawn, or copied; it can be used as soon as it has a `reference_url`. `refused`: its job was not completed, the quota had no room for its images, or the storage lost them; delete it.
       * @enum {string}
       */
      readonly status: "pending" | "kept" | "refused";
      readonly description: string;
      /**
       * Format: uri
       * @description A signed URL. Expires in 1 hour.
       */
      readonly reference_url?: string;
      /**
       * Format: date-time
       * @description When the signed URL expires.
       */
      readonly expires_at?: string;
      /** @description In pixels. */
      readonly width?: number;
      readonly height?: number;
      /** @description What its images count towards the quota of kept images. */
      readonly size_bytes: number;
      /** @description The story that it comes from. */
      readonly story_job_id: string | null;
      /** Format: date-time */
      readonly created_at: string;
      /** @description Its other looks, in their order. */
      readonly states: readonly {
        readonly state: string;
        readonly description: string;
        /**
         * Format: uri
         * @description A signed URL. Expires in 1 hour.
         */
        readonly reference_url?: string;
        /**
         * Format: date-time
         * @description When the signed URL expires.
         */
        readonly expires_at?: string;
        /** @description In pixels. */
        readonly width?: number;
        readonly height?: number;
      }[];
    };
    /** @description It is drawn by a job, and kept when that is done. */
    readonly MemberAccepted: {
      /**
       * Format: uuid
       * @description The id of the character or location.
       */
      readonly id: string;
      /** Format: uuid */
      readonly job_id: string;
      /**
       * Format: uri
       * @description Poll this with `GET` until the job is final.
       */
      readonly poll_url: string;
      /** @constant */
      readonly status: "pending";
    };
    readonly KeptCharacterList: {
      /** @description The newest first. */
      readonly characters: readonly components["schemas"]["KeptCharacter"][];
      /** @description Null on the last page. */
      readonly next_cursor: string | null;
    };
    /** @description A location that stays until it is deleted. */
    readonly KeptLocation: {
      /** Format: uuid */
      readonly id: string;
      readonly name: string;
      /**
       * @description `pending`: its images are being drawn, or copied; it can be used as soon as it has a `reference_url`. `refused`: its job was not completed, the quota had no room for its images, or the storage lost them; delete it.
       * @enum {string}
       */
      readonly status: "pending" | "kept" | "refused";
      readonly description: string;
      /**
       * Format: uri
       * @description A signed URL. Expires in 1 hour.
       */
      readonly reference_url?: string;
      /**
       * Format: date-time
       * @description When the signed URL expires.
       */
      readonly expires_at?: string;
      /** @description In pixels. */
      readonly width?: number;
      readonly height?: number;
      /** @description What its images count towards the quota of kept images. */
      readonly size_bytes: number;
      /** @description The story that it comes from. */
      readonly story_job_id: string | null;
      /** Format: date-time */
      readonly created_at: string;
    };
    readonly KeptLocationList: {
      /** @description The newest first. */
      readonly locations: readonly components["schemas"]["KeptLocation"][];
      /** @description Null on the last page. */
      readonly next_cursor: string | null;
    };
    /** @description Jobs that the account put together. */
    readonly Collection: {
      /** Format: uuid */
      readonly id: string;
      readonly name: string;
      /** @description The number of its jobs, which `GET /v1/jobs?collection={id}` lists. */
      readonly jobs: number;
      /** Format: date-time */
      readonly created_at: string;
    };
    readonly CollectionList: {
      /** @description The newest first. */
      readonly collections: readonly components["schemas"]["Collection"][];
      /** @description Null on the last page. */
      readonly next_cursor: string | null;
    };
    /** @description Properties of a request, saved under a name. */
    readonly Preset: {
      /** Format: uuid */
      readonly id: string;
      readonly name: string;
      /** @enum {string} */
      readonly operation:
        | "image"
        | "story"
        | "scene"
        | "edit"
        | "combine"
        | "graphic"
        | "diagram"
        | "upscale"
        | "remove-background"
        | "outpaint"
        | "erase"
        | "vectorize"
        | "variations";
      readonly request: {
        readonly [key: string]: unknown;
      };
      /** @description In base64; null without one. */
      readonly picture: string | null;
      /** Format: date-time */
      readonly created_at: string;
      /**
       * Format: date-time
       * @description When it was saved last.
       */
      readonly saved_at: string;
    };
    readonly PresetList: {
      /** @description The newest first. */
      readonly presets: readonly components["schemas"]["Preset"][];
      /** @description Null on the last page. */
      readonly next_cursor: string | null;
    };
    readonly PromptSuggestions: {
      /** @description 1 to 3. */
      readonly suggestions: readonly {
        /** @description The rewritten prompt, as plain text. */
        readonly prompt: string;
        /** @description What it adds to the given prompt. */
        readonly added: readonly string[];
      }[];
    };
    readonly StoryDraft: {
      /** @description A request of `POST /v1/generate/story` without `model`. Every text is plain text of the assistant: show it to a person before it is used. */
      readonly story: {
        readonly title: string;
        readonly setting?: string;
        readonly style?: string;
        readonly characters: readonly {
          readonly name: string;
          readonly description: string;
        }[];
        readonly locations: readonly {
          readonly name: string;
          readonly description: string;
        }[];
        readonly scenes: readonly {
          readonly prompt: string;
          readonly characters: readonly {
            readonly name: string;
          }[];
          readonly location?: string;
        }[];
      };
    };
    /** @description A share with its link. */
    readonly CreatedShare: {
      /** Format: uuid */
      readonly id: string;
      /** Format: uuid */
      readonly job_id: string;
      /** @description Which of its images or scenes it shows, from 0; null for all. */
      readonly image: number | null;
      /** @description Whether the images are kept. Otherwise the link ends with their retention. */
      readonly kept: boolean;
      /** Format: date-time */
      readonly created_at: string;
      /**
       * Format: date-time
       * @description When the link ends: after its days, with the retention of images that are not kept, or with its key, whichever is first.
       */
      readonly expires_at: string;
      /**
       * Format: uri
       * @description The link. It is shown once and not stored.
       */
      readonly url: string;
    };
    readonly ShareList: {
      /** @description The newest first. */
      readonly shares: readonly components["schemas"]["Share"][];
      /** @description Null on the last page. */
      readonly next_cursor: string | null;
    };
    /** @description A link that shows images to anyone who has it. */
    readonly Share: {
      /** Format: uuid */
      readonly id: string;
      /** Format: uuid */
      readonly job_id: string;
      /** @description Which of its images or scenes it shows, from 0; null for all. */
      readonly image: number | null;
      /** @description Whether the images are kept. Otherwise the link ends with their retention. */
      readonly kept: boolean;
      /** Format: date-time */
      readonly created_at: string;
      /**
       * Format: date-time
       * @description When the link ends: after its days, with the retention of images that are not kept, or with its key, whichever is first.
       */
      readonly expires_at: string;
    };
    readonly WebhookList: {
      /** @description Newest first. */
      readonly webhooks: readonly components["schemas"]["Webhook"][];
    };
    readonly Webhook: {
      /** Format: uuid */
      readonly id: string;
      /** @description The key that created it, with which it ends; null for webhooks from before it was recorded. */
      readonly key_id: string | null;
      /** @description That of its key: it receives events of jobs of this mode only. */
      readonly mode: components["schemas"]["KeyMode"];
      readonly url: string;
      readonly events: readonly components["schemas"]["EventType"][];
      readonly description: string | null;
      readonly enabled: boolean;
      /** @description When it was disabled, or its key ended. */
      readonly disabled_at: string | null;
      /** @description `account`: by a request. `failing`: after five days without a success. `key_revoked`, `key_expired`: its key has ended. `key_not_permitted`: its key has lost the scope `manage`, or `read` for events of jobs. Null while it is enabled. */
      readonly disabled_reason:
        | ("account" | "failing" | "key_revoked" | "key_expired" | "key_not_permitted")
        | null;
      /** @description Since when no delivery has succeeded; null after a success, and when none is pending. */
      readonly failing_since: string | null;
      /** @description Deliveries that were dropped since its creation: pending for 24 hours, or the oldest beyond 100,000 pending ones. */
      readonly dropped_deliveries: number;
      /** Format: date-time */
      readonly created_at: string;
    };
    readonly WebhookWithSecret: {
      /** Format: uuid */
      readonly id: string;
      /** @description The key that created it, with which it ends; null for webhooks from before it was recorded. */
      readonly key_id: string | null;
      /** @description That of its key: it receives events of jobs of this mode only. */
      readonly mode: components["schemas"]["KeyMode"];
      readonly url: string;
      readonly events: readonly components["schemas"]["EventType"][];
      readonly description: string | null;
      readonly enabled: boolean;
      /** @description When it was disabled, or its key ended. */
      readonly disabled_at: string | null;
      /** @description `account`: by a request. `failing`: after five days without a success. `key_revoked`, `key_expired`: its key has ended. `key_not_permitted`: its key has lost the scope `manage`, or `read` for events of jobs. Null while it is enabled. */
      readonly disabled_reason:
        | ("account" | "failing" | "key_revoked" | "key_expired" | "key_not_permitted")
        | null;
      /** @description Since when no delivery has succeeded; null after a success, and when none is pending. */
      readonly failing_since: string | null;
      /** @description Deliveries that were dropped since its creation: pending for 24 hours, or the oldest beyond 100,000 pending ones. */
      readonly dropped_deliveries: number;
      /** Format: date-time */
      readonly created_at: string;
      /** @description Verifies the signature of deliveries (Standard Webhooks). Shown only in this response. */
      readonly secret: string;
    };
    /** @description One event for one webhook. Kept for 7 days. */
    readonly WebhookDelivery: {
      /** Format: uuid */
      readonly id: string;
      /** Format: uuid */
      readonly webhook_id: string;
      /** @description The `webhook-id` of the request. */
      readonly event_id: string;
      /** @description The type of the event, or `webhook.test`. */
      readonly type: string;
      readonly job_id: string | null;
      /** @enum {string} */
      readonly status: "pending" | "delivered" | "failed";
      readonly attempts: number;
      /** @description Null unless pending. */
      readonly next_attempt_at: string | null;
      readonly last_attempt_at: string | null;
      /** @description The status of the last response; null without one. */
      readonly response_status: number | null;
      /** @description Why the last attempt failed. */
      readonly error: string | null;
      /** @description The last 50 attempts, oldest first. */
      readonly attempt_log: readonly {
        /** Format: date-time */
        readonly at: string;
        /** @description Null without a response. */
        readonly response_status: number | null;
        /** @description Null for a success. */
        readonly error: string | null;
      }[];
      /** Format: date-time */
      readonly created_at: string;
    };
    readonly WebhookDeliveryList: {
      /** @description Newest first. */
      readonly deliveries: readonly components["schemas"]["WebhookDelivery"][];
      /** @description Null on the last page. */
      readonly next_cursor: string | null;
    };
    readonly ModelList: {
      /** @constant */
      readonly object: "list";
      readonly models: readonly components["schemas"]["Model"][];
      /** @description The same models for OpenAI's clients, and the names that the operator maps to models. */
      readonly data: readonly components["schemas"]["OpenAIModel"][];
    };
    readonly Model: {
      /** @description The `model` of requests. */
      readonly id: string;
      readonly name: string;
      readonly description: string;
      /** @description The provider of the model. */
      readonly provider: string;
      /** @description Whether it can make stories. */
      readonly supports_multiturn: boolean;
      readonly supports_references: boolean;
      readonly max_reference_images: number;
      /** @description The kinds of generation that it can do. */
      readonly operations: readonly (
        | "image"
        | "story"
        | "scene"
        | "edit"
        | "combine"
        | "graphic"
        | "diagram"
        | "upscale"
        | "remove-background"
        | "outpaint"
        | "erase"
        | "vectorize"
        | "variations"
      )[];
      /** @description Whether it can change a given image. */
      readonly supports_edit: boolean;
      /** @description Whether an edit can be limited to the white area of a mask. */
      readonly supports_mask: boolean;
      /** @description Whether an edit can have hints that are drawn over its image. */
      readonly supports_markup: boolean;
      /** @description Whether it can combine several images. */
      readonly supports_combine: boolean;
      /** @description Whether the same `seed` gives the same or a similar image, in files that differ by their watermark and manifest. */
      readonly supports_seed: boolean;
      readonly supports_negative_prompt: boolean;
      /** @description Whether `background` can be `transparent`. */
      readonly supports_transparency: boolean;
      /** @description Whether its results include an SVG file. */
      readonly supports_svg: boolean;
      /** @description The largest `n`. */
      readonly max_n: number;
      /** @description JSON schema of the `parameters` that a request may send: options of the engine with their bounds and defaults. Null when it takes none. */
      readonly parameters: {
        readonly [key: string]: unknown;
      } | null;
      readonly aspect_ratios: readonly string[];
      readonly image_sizes: readonly string[];
      readonly default_aspect_ratio: string;
      readonly default_image_size: string;
      /** @description The pixels of its images, by aspect ratio and size; empty when the vendor chooses them. Those of an edit follow its image. */
      readonly pixels: readonly {
        readonly aspect_ratio: string;
        readonly image_size: string;
        readonly width: number;
        readonly height: number;
      }[];
      /** @description What `width` and `height` of a request can be: multiples of `multiple_of` from `min` to `max`, with at most `max_pixels` in total. Null when the model takes none. */
      readonly sizes: {
        readonly multiple_of: number;
        readonly min: number;
        readonly max: number;
        readonly max_pixels: number;
      } | null;
      /** @description The part of `prices` that an image costs in a batch; 1 when it costs the same. */
      readonly batch_price_factor: number;
      /** @description The price of one image, by size. An entry with `operation` is the price of that operation; the others are for all operations without a price of their own. */
      readonly prices: readonly {
        /** @enum {string} */
        readonly operation?:
          | "image"
          | "story"
          | "scene"
          | "edit"
          | "combine"
          | "graphic"
          | "diagram"
          | "upscale"
          | "remove-background"
          | "outpaint"
          | "erase"
          | "vectorize"
          | "variations";
        readonly image_size: string;
        /**
         * @description A decimal with 2 to 6 decimals.
         * @example 0.04
         */
        readonly eur: string;
        /**
         * @description Only for models whose price depends on `parameters.steps`: what each step more or fewer than the default adds to or takes from `eur`.
         * @example 0.04
         */
        readonly eur_per_step?: string;
      }[];
      /** @enum {string} */
      readonly status: "available" | "degraded" | "retired";
      /** @description Since when new programs should not use the model. */
      readonly deprecated_at: string | null;
      /** @description When its requests are refused. */
      readonly retires_at: string | null;
      /** @description The model to use when this one is retired. */
      readonly successor: string | null;
    };
    readonly OpenAIModel: {
      /** @description The `model` of requests. */
      readonly id: string;
      /** @constant */
      readonly object: "model";
      /** @description The day of its prices in seconds since 1970; 0 if that is not known. */
      readonly created: number;
      /** @description Its provider. */
      readonly owned_by: string;
    };
    readonly Account: {
      /** Format: uuid */
      readonly id: string;
      /** @description Omitted for test keys, and for keys with a budget or without the scope `read`. */
      readonly name?: string;
      /**
       * @description The amount that the key may spend: the balance, or the rest of its budget if that is less; 0.00 for a test key.
       * @example 0.04
       */
      readonly balance_eur: string;
      /**
       * @description The amount held for unfinished jobs. Omitted like `name`.
       * @example 0.04
       */
      readonly held_eur?: string;
      /** @description The default for requests. */
      readonly strictness: components["schemas"]["Strictness"];
      /** @description How long the images of a final job are kept, in hours. */
      readonly retention_hours: number;
      /** @description The operator's limit. */
      readonly max_retention_hours: number;
      /** @description When `balance_eur` falls below this amount, the event `account.balance_low` is sent; null for never. */
      readonly low_balance_eur: string | null;
      /** @description The language of Studio; null for that of the browser. */
      readonly language: ("en" | "de") | null;
      /** @description Whether starring a job also keeps its images. */
      readonly keep_starred: boolean;
      /** @description Whether this server has an assistant that rewrites prompts and drafts stories: `POST /v1/assist/…`. */
      readonly assistant: boolean;
      /** @description Whether this service has links to images (`POST /v1/shares`). */
      readonly sharing: boolean;
      /** @description Whether members with the role `maker` read all jobs, not only their own. They change only their own. */
      readonly makers_read_all: boolean;
      /** @description Ids of webhooks that were disabled after five days without a success, or ended with their key. */
      readonly disabled_webhooks: readonly string[];
    };
    readonly AccountWebhookSecret: {
      /** @description The mode of the keys whose requests it is for. */
      readonly mode: components["schemas"]["KeyMode"];
      /** @description Verifies the signature of deliveries to the `webhook_url` of requests (Standard Webhooks). That of test keys begins with `whsec_test`; that of live keys is shown only once. */
      readonly secret: string;
      /** @description Until then deliveries are also signed with the old secret. Null without one. */
      readonly previous_valid_until: string | null;
    };
    readonly Usage: {
      /** Format: date */
      readonly from: string;
      /** Format: date */
      readonly to: string;
      /** @description In the order of days, or by cost, highest first. Without empty rows. */
      readonly rows: readonly components["schemas"]["UsageRow"][];
      readonly total: {
        /** @description Jobs that ended: completed, failed or cancelled. */
        readonly jobs: number;
        /** @description Images of the completed jobs. */
        readonly images: number;
        /** @description Jobs that failed. */
        readonly failed: number;
        /**
         * @description The amount charged, refunded or not.
         * @example 0.04
         */
        readonly cost_eur: string;
        /**
         * @description Refunds that were booked on these days. Omitted when no refund was booked.
         * @example 0.04
         */
        readonly refunded_eur?: string;
      };
    };
    /** @description The property that rows are grouped by, and its sums. */
    readonly UsageRow: {
      /**
       * Format: date
       * @description The day (UTC) on which the jobs ended.
       */
      readonly day?: string;
      /** @description The model that was requested. */
      readonly model?: string;
      /** @description The id of the key; null for jobs from before keys were recorded. */
      readonly key?: string | null;
      /** @description The id of the shared budget; null for jobs without one. */
      readonly budget?: string | null;
      /** @enum {string} */
      readonly kind?: "image" | "story";
      /** @description Jobs that ended: completed, failed or cancelled. */
      readonly jobs: number;
      /** @description Images of the completed jobs. */
      readonly images: number;
      /** @description Jobs that failed. */
      readonly failed: number;
      /**
       * @description The amount charged, refunded or not.
       * @example 0.04
       */
      readonly cost_eur: string;
      /**
       * @description Refunds that were booked on these days. Omitted when no refund was booked.
       * @example 0.04
       */
      readonly refunded_eur?: string;
      /** @description The name of the key, in rows by key; null when `key` is null. */
      readonly key_name?: string | null;
      /** @description The name of the budget, in rows by budget; null without one, and once it is deleted. */
      readonly budget_name?: string | null;
    };
    readonly Quote: {
      /**
       * @description The most that the request can cost.
       * @example 0.04
       */
      readonly price_eur: string;
      /**
       * @description A decimal with 2 to 6 decimals.
       * @example 0.04
       */
      readonly balance_eur: string;
      /** @description Whether the balance and the budget of the key allow the request now. */
      readonly affordable: boolean;
      /** @description How the price is composed. */
      readonly price: {
        readonly model: string;
        /** @description The operation whose price applies. */
        readonly operation: string;
        readonly image_size: string;
        readonly images: number;
        /**
         * @description Of one image, with its steps and tools; in a batch, that of the batch.
         * @example 0.04
         */
        readonly eur_per_image: string;
        /** @description Null when steps do not change the price. */
        readonly steps: {
          readonly requested: number;
          /** @description Steps that the price of the size includes. */
          readonly included: number;
          /**
           * @description Added for each step above, or deducted for each below.
           * @example 0.04
           */
          readonly eur_per_step: string;
        } | null;
        /** @description The tools of `after` and their share of `eur_per_image`. */
        readonly after: readonly {
          /** @description The model that makes the change. */
          readonly model: string;
          readonly operation: string;
          /**
           * @description A decimal with 2 to 6 decimals.
           * @example 0.04
           */
          readonly eur_per_image: string;
        }[];
      };
      /** @description The size of the image to change, when it was scaled down to 16.7 megapixels (4096 × 4096) before; margins and sizes refer to what it was scaled to. Absent when it was used as it is, and in quotes for a URL of another server. */
      readonly scaled_from?: {
        /** @description In pixels. */
        readonly width: number;
        readonly height: number;
      };
      /** @description The number of images to be made. */
      readonly renders: number;
      /** @description Estimated seconds until the first image is started; null when unknown. */
      readonly estimated_wait_seconds: number | null;
    };
    readonly TransactionList: {
      /** @description Newest first. */
      readonly transactions: readonly components["schemas"]["Transaction"][];
      /** @description Null on the last page. */
      readonly next_cursor: string | null;
    };
    readonly Transaction: {
      /** Format: uuid */
      readonly id: string;
      /**
       * @description `top_up`: credit added. `charge`: the price of a completed job. `withdrawal`: credit paid back. `refund`: the price of a job, or a part of it, returned to the balance.
       * @enum {string}
       */
      readonly kind: "top_up" | "charge" | "withdrawal" | "refund";
      /** Format: date-time */
      readonly created_at: string;
      /**
       * @description The change of `balance_eur` and `held_eur` together; negative for charges and withdrawals.
       * @example -0.04
       */
      readonly amount_eur: string;
      /** @description The job of a charge or a refund. */
      readonly job_id: string | null;
      /** @description The key that requested the job. */
      readonly key_id: string | null;
      /** @description The operator's reference of a top-up, withdrawal or refund, such as an invoice number. */
      readonly reference: string | null;
    };
    readonly ApiKeyList: {
      /** @description Newest first. */
      readonly keys: readonly components["schemas"]["ApiKey"][];
    };
    readonly ApiKey: {
      /** Format: uuid */
      readonly id: string;
      readonly mode: components["schemas"]["KeyMode"];
      readonly name: string;
      /** @description The last four characters of the key. */
      readonly last_four: string;
      readonly scopes: readonly components["schemas"]["KeyScope"][];
      readonly models: readonly string[] | null;
      readonly budget: {
        readonly eur: string;
        /** @enum {string} */
        readonly period: "total" | "day" | "month";
      } | null;
      /** @description What jobs of this key cost in the current period of its budget, holds of unfinished jobs included. */
      readonly spent_eur: string;
      /** @description The shared budget that it spends from as well; null for none. */
      readonly budget_id: string | null;
      readonly expires_at: string | null;
      /** Format: date-time */
      readonly created_at: string;
      /** @description Exact to a minute. */
      readonly last_used_at: string | null;
      readonly revoked_at: string | null;
      /** @description The key that created it, which it neither outlives nor exceeds; null for keys of the operator and of members. */
      readonly created_by: string | null;
      /** @description The member who acts through it, and is changed with `/v1/members`; null for others. */
      readonly member_id: string | null;
    };
    readonly MintedKey: {
      /** Format: uuid */
      readonly id: string;
      readonly mode: components["schemas"]["KeyMode"];
      readonly name: string;
      /** @description The last four characters of the key. */
      readonly last_four: string;
      readonly scopes: readonly components["schemas"]["KeyScope"][];
      readonly models: readonly string[] | null;
      readonly budget: {
        readonly eur: string;
        /** @enum {string} */
        readonly period: "total" | "day" | "month";
      } | null;
      /** @description What jobs of this key cost in the current period of its budget, holds of unfinished jobs included. */
      readonly spent_eur: string;
      /** @description The shared budget that it spends from as well; null for none. */
      readonly budget_id: string | null;
      readonly expires_at: string | null;
      /** Format: date-time */
      readonly created_at: string;
      /** @description Exact to a minute. */
      readonly last_used_at: string | null;
      readonly revoked_at: string | null;
      /** @description The key that created it, which it neither outlives nor exceeds; null for keys of the operator and of members. */
      readonly created_by: string | null;
      /** @description The member who acts through it, and is changed with `/v1/members`; null for others. */
      readonly member_id: string | null;
      /** @description The key itself. It is shown only once. */
      readonly key: string;
    };
    readonly ChangedKey: {
      /** Format: uuid */
      readonly id: string;
      readonly mode: components["schemas"]["KeyMode"];
      readonly name: string;
      /** @description The last four characters of the key. */
      readonly last_four: string;
      readonly scopes: readonly components["schemas"]["KeyScope"][];
      readonly models: readonly string[] | null;
      readonly budget: {
        readonly eur: string;
        /** @enum {string} */
        readonly period: "total" | "day" | "month";
      } | null;
      /** @description What jobs of this key cost in the current period of its budget, holds of unfinished jobs included. */
      readonly spent_eur: string;
      /** @description The shared budget that it spends from as well; null for none. */
      readonly budget_id: string | null;
      readonly expires_at: string | null;
      /** Format: date-time */
      readonly created_at: string;
      /** @description Exact to a minute. */
      readonly last_used_at: string | null;
      readonly revoked_at: string | null;
      /** @description The key that created it, which it neither outlives nor exceeds; null for keys of the operator and of members. */
      readonly created_by: string | null;
      /** @description The member who acts through it, and is changed with `/v1/members`; null for others. */
      readonly member_id: string | null;
      /** @description What ended with this change: keys that it created, directly or through others, and the webhooks and sessions of Studio of all these keys. */
      readonly ended: {
        readonly keys: number;
        readonly webhooks: number;
        readonly sessions: number;
      };
    };
    /** @description What the jobs of several keys may cost together. */
    readonly Budget: {
      /** Format: uuid */
      readonly id: string;
      readonly name: string;
      /**
       * @description A decimal with 2 to 6 decimals.
       * @example 0.04
       */
      readonly eur: string;
      /**
       * @description `day`, `week` and `month` begin at midnight UTC, a week on Monday. `total` never starts again.
       * @enum {string}
       */
      readonly period: "total" | "day" | "week" | "month";
      /**
       * @description What jobs that were accepted in the current period cost, holds of unfinished jobs included.
       * @example 0.04
       */
      readonly spent_eur: string;
      /**
       * @description The part of `spent_eur` that unfinished jobs hold.
       * @example 0.04
       */
      readonly held_eur: string;
      /** @description When the next period begins; null for `total`. */
      readonly resets_at: string | null;
      /** @description The number of its keys that are neither revoked nor expired. */
      readonly keys: number;
      /** Format: date-time */
      readonly created_at: string;
    };
    readonly BudgetList: {
      /** @description The newest first. */
      readonly budgets: readonly components["schemas"]["Budget"][];
    };
    readonly MemberList: {
      /** @description Those that are not disabled first, by name. */
      readonly members: readonly components["schemas"]["Member"][];
    };
    readonly Member: {
      /** Format: uuid */
      readonly id: string;
      readonly name: string;
      readonly email: string | null;
      readonly role: components["schemas"]["MemberRole"];
      /**
       * Format: uuid
       * @description The key that the member acts through. Keys that it created have it in `created_by`.
       */
      readonly key_id: string;
      /** @description Whether it has signed in through the identity provider of the operator. */
      readonly has_identity: boolean;
      /** Format: date-time */
      readonly invited_at: string;
      /** @description Exact to a minute; null if it has never signed in. */
      readonly last_seen_at: string | null;
      readonly disabled_at: string | null;
    };
    readonly MemberWithLink: {
      /** Format: uuid */
      readonly id: string;
      readonly name: string;
      readonly email: string | null;
      readonly role: components["schemas"]["MemberRole"];
      /**
       * Format: uuid
       * @description The key that the member acts through. Keys that it created have it in `created_by`.
       */
      readonly key_id: string;
      /** @description Whether it has signed in through the identity provider of the operator. */
      readonly has_identity: boolean;
      /** Format: date-time */
      readonly invited_at: string;
      /** @description Exact to a minute; null if it has never signed in. */
      readonly last_seen_at: string | null;
      readonly disabled_at: string | null;
      /** @description Signs in to Studio once, within 24 hours. It is shown only here. */
      readonly link: string;
    };
    readonly ChangedMember: {
      /** Format: uuid */
      readonly id: string;
      readonly name: string;
      readonly email: string | null;
      readonly role: components["schemas"]["MemberRole"];
      /**
       * Format: uuid
       * @description The key that the member acts through. Keys that it created have it in `created_by`.
       */
      readonly key_id: string;
      /** @description Whether it has signed in through the identity provider of the operator. */
      readonly has_identity: boolean;
      /** Format: date-time */
      readonly invited_at: string;
      /** @description Exact to a minute; null if it has never signed in. */
      readonly last_seen_at: string | null;
      readonly disabled_at: string | null;
      /** @description What ended with this change, as of `ChangedKey`. */
      readonly ended: {
        readonly keys: number;
        readonly webhooks: number;
        readonly sessions: number;
      };
    };
    readonly HandedOver: {
      readonly keys: number;
      readonly webhooks: number;
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
    /** @description The origin of an image, as far as it is known. */
    readonly Verification: {
      /**
       * @description `made_here`: the signature of this service, a file hash, or a watermark that the look of the picture confirms leads to a record of this service. `mark_copied`: the picture carries the watermark of an image of this service, but shows something else: somebody copied the watermark onto it. `mark_found`: only a watermark leads to a record, and the look neither confirms nor refutes it. `ai_generated`: a valid manifest of another signer, or XMP, says that the image is synthetic. `similar_found`: the image looks like one of this service; that says nothing about its origin. `unknown`: nothing was found; that does not mean that no model made the image.
       * @enum {string}
       */
      readonly verdict:
        | "made_here"
        | "mark_copied"
        | "mark_found"
        | "ai_generated"
        | "similar_found"
        | "unknown";
      /** @description The techniques that the verdict rests on. */
      readonly based_on: readonly ("c2pa" | "hash" | "watermark" | "fingerprint" | "xmp")[];
      /** @description All techniques with their results, in the order of the checks. */
      readonly techniques: readonly components["schemas"]["VerificationTechnique"][];
      /** @description Techniques that contradict the verdict: a valid manifest of another signer (`c2pa`) or the XMP (`xmp`) says that a camera or a person made the picture, but its hash or its watermark belongs to an image of this service. One of both is wrong, or the picture is a photograph of such an image. */
      readonly contradicted_by: readonly ("c2pa" | "hash" | "watermark" | "fingerprint" | "xmp")[];
      /** @description What the record of an image that was `made_here`, or else the manifest, or else the XMP, says of the making. `trained_model`: a trained model made it, or a part of it. `rules`: a program without a trained model made it. `composite`: at least one of its elements is synthetic, as in a photograph that a built-in model edited. Null if they say nothing. */
      readonly synthetic: ("trained_model" | "rules" | "composite") | null;
      /** @description The signer of a valid manifest; null without one. */
      readonly signer: {
        readonly name: string | null;
        readonly organization: string | null;
        /** @description Whether this service trusts the signer. */
        readonly trusted: boolean;
      } | null;
      /** @description The record of the image; of the similar one for `similar_found`, and of the one that the watermark was copied from for `mark_copied`. No account, prompt or key. */
      readonly image: {
        readonly model: string;
        /** Format: date-time */
        readonly created_at: string;
        /** @description The formats that were delivered. */
        readonly formats: readonly ("png" | "jpeg" | "webp" | "svg")[];
      } | null;
    };
    readonly VerificationTechnique: {
      /** @enum {string} */
      readonly technique: "c2pa" | "hash" | "watermark" | "fingerprint" | "xmp";
      /** @enum {string} */
      readonly result: "match" | "no_match" | "invalid" | "not_checked";
      /** @description The reason of the result, or its limits. */
      readonly detail: string | null;
    };
    /** @description How far an image of a job is. */
    readonly JobProgress: {
      /** @description Position of the image in the job, from 0. */
      readonly render: number;
      /** @description From 0 to 1. */
      readonly progress: number;
      /** @description Sampling steps done; null if unknown. */
      readonly step: number | null;
      /** @description Steps in all; null if unknown. */
      readonly of: number | null;
      /** Format: uuid */
      readonly job_id: string;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
