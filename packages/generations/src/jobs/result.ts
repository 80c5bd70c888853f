import {
  unusedRole,
  type RenderRole,
  type RenderSpec,
  type StoredFormat,
  type Task,
} from "@atelier/schemas";

export interface FoundRender {
  readonly role: RenderRole;
  readonly status: RenderStatus;
  readonly model: string;
  readonly spec: Pick<RenderSpec, "name" | "state" | "title" | "seed" | "engineCommands"> & {
    readonly reading?: RenderSpec["reading"] | null;
    /** The size of the image to change, if it was scaled down. */
    readonly scaledFrom?: RenderSpec["scaledFrom"] | null;
    /** The paths in the request of images that no image was made with. Default: none. */
    readonly unused?: readonly string[];
  };
  /** The operation of the render; null for an image of a prompt. */
  readonly task?: Task["kind"] | null;
  /** Whether the registry says that its pixels carry a watermark; null if it is not registered. */
  readonly isWatermarked: boolean | null;
  /** All files of a completed generation; the thumbnail of an unfinished one; otherwise empty. */
  readonly images: readonly FoundImage[];
}

type RenderStatus = "waiting" | "ready" | "running" | "done" | "failed" | "cancelled";

export interface FoundImage {
  readonly format: StoredFormat;
  readonly storageKey: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly width: number;
  readonly height: number;
  /** A JPEG of an image with transparency, which was flattened on white. */
  readonly flattened: boolean;
  /** Whether the file was deleted after its retention: only the hash remains. */
  readonly deleted: boolean;
}

/**
 * The result of a completed job: what it shows of its renders and their files, in its row, so that a read is one
 * probe. It has no text of the request, which a redaction would have to find, and so no job has one whose renders
 * have a name, a title or a warning. Triggers remove it when the job is noted, kept, redacted or loses images.
 */
export type StoredResult = readonly StoredRender[];

interface StoredRender {
  readonly role: RenderRole;
  readonly model: string;
  readonly task: Task["kind"] | null;
  readonly seed: number;
  readonly scaledFrom: RenderSpec["scaledFrom"] | null;
  readonly isWatermarked: boolean | null;
  readonly files: readonly StoredFile[];
}

/** Without names, which would be half of its size. */
type StoredFile = readonly [
  format: StoredFormat,
  storageKey: string,
  sha256: string,
  sizeBytes: number,
  width: number,
  height: number,
  flattened: boolean,
];

/** SQL condition on a generation: it has few enough images for its row. */
export const isShort = "generation.kind = 'image' AND generation.renders_total <= 4";

/** SQL condition on a generation: it was not noted or kept, also before the triggers that mark it. */
export const isUnmarked = `generation.marks = 0
  AND NOT EXISTS (SELECT FROM job_note AS note
                   WHERE note.account_id = generation.account_id AND note.generation_id = generation.id)
  AND NOT EXISTS (SELECT FROM kept_item AS item WHERE item.id = generation.id)`;

/** SQL of the files of a render, over the rows of its images. */
export const storedFiles = (image: string) =>
  `jsonb_agg(jsonb_build_array(${image}.format, ${image}."storageKey", ${image}.sha256, ${image}."sizeBytes",
     ${image}.width, ${image}.height, ${image}.flattened) ORDER BY ${image}.format)`;

/** SQL of the files of the stored render `id`; null if one was deleted. */
const filesOf = (id: string) => `(
  SELECT CASE WHEN bool_and(file.deleted_at IS NULL) THEN ${storedFiles("file")} END
    FROM (SELECT format, storage_key AS "storageKey", sha256, size_bytes AS "sizeBytes", width, height, flattened,
                 deleted_at FROM image WHERE render_id = ${id}) AS file)`;

/** SQL that selects what `storedResult` aggregates, of done renders in `render`. */
export const storedRenders = `
  SELECT render.position, render.role, render.model, render.spec,
         (SELECT watermark_id IS NOT NULL FROM mark WHERE render_id = render.id) AS is_watermarked,
         ${filesOf("render.id")} AS files FROM render`;

/** SQL of the result of a job, over its renders in `made`; null for one that has none. */
export const storedResult = `
  CASE WHEN bool_and(files IS NOT NULL AND spec->>'name' IS NULL AND spec->>'state' IS NULL
                     AND spec->>'title' IS NULL AND spec->>'engineCommands' IS NULL AND spec->>'reading' IS NULL
                     AND NOT jsonb_path_exists(spec, '$.references[*] ? (@.role == "${unusedRole}")'))
       THEN jsonb_agg(jsonb_build_object(
              'role', role, 'model', model, 'task', spec->'task'->'kind', 'seed', spec->'seed',
              'scaledFrom', spec->'scaledFrom', 'isWatermarked', is_watermarked, 'files', files) ORDER BY position)
  END`;

/** Returns the renders of a completed job with a result. */
export function readResult(result: StoredResult): readonly FoundRender[] {
  return result.map(({ role, model, task, seed, scaledFrom, isWatermarked, files }) => ({
    role,
    status: "done",
    model,
    spec: { name: null, state: null, title: null, seed, scaledFrom },
    task,
    isWatermarked,
    images: files.map(([format, storageKey, sha256, sizeBytes, width, height, flattened]) => ({
      format,
      storageKey,
      sha256,
      sizeBytes,
      width,
      height,
      flattened,
      deleted: false,
    })),
  }));
}
