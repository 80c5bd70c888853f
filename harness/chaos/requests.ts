import type { Operation } from "@atelier/schemas";
import sharp from "sharp";
import { ownModels } from "./own-servers.ts";
import type { Random } from "../shared/random.ts";

/** Files that clients upload. */
export interface Pictures {
  readonly photo: Buffer;
  readonly other: Buffer;
  /** Of the size of `photo`; its right half is white. */
  readonly mask: Buffer;
}

/** Images that a request can refer to. */
export interface Sources {
  readonly pictures: Pictures;
  /**
   * Uploads a file and returns the id of the upload.
   *
   * @throws Error when the client gives up.
   */
  readonly upload: (bytes: Buffer) => Promise<string>;
  /** The id of a completed image job of the account; null without one. */
  readonly earlierJob: () => string | null;
  /** Starts to delete uploads. */
  readonly deleteUploads: (ids: readonly string[]) => void;
}

/** A request before its images are uploaded. */
export interface ClientRequest {
  readonly operation: Operation;
  readonly expected: "image" | "refusal";
  readonly makeBody: (
    sources: Sources,
  ) => Promise<{ readonly body: object; readonly onAccepted: () => void }>;
}

const models = ["fake-blind", "fake-resumable"] as const;
const refusedPrompt = "a naked child";

/** The request of probes. */
export const fixedRequest: ClientRequest = plain("image", {
  model: models[0],
  prompt: "a quiet harbour",
});

/** Draws the request of the next client: every operation, more than half of them single images. */
export function drawnRequest(random: Random): ClientRequest {
  const model = random.pick(models);
  const chance = random.next();
  if (chance < 0.06) return plain("story", storyOf(model, random));
  if (chance < 0.12) {
    return { ...plain("image", { model, prompt: refusedPrompt }), expected: "refusal" };
  }
  if (chance < 0.18) return plain("image", { model, prompt: "a paper boat", n: 3 });
  if (chance < 0.26) return editOf(random);
  if (chance < 0.3) return combinationOf(random);
  if (chance < 0.35) return plain("graphic", graphicOf(random));
  if (chance < 0.4) return plain("diagram", diagram);
  if (chance < 0.45) return referringTo(model, random);
  if (chance < 0.5) return toolOn(random);
  if (chance < 0.6) return plain("image", { model: random.pick(ownModels), prompt: "a mill" });
  return plain("image", { model, prompt: `a lighthouse, view ${random.between(1, 1e6)}` });
}

/** Makes the pictures that clients upload. */
export async function makePictures(): Promise<Pictures> {
  const size = { width: 96, height: 64 };
  const flat = (background: string, width = size.width) =>
    sharp({ create: { width, height: size.height, channels: 3, background } }).png();
  const white = await flat("#fff", size.width / 2).toBuffer();
  return {
    photo: await flat("#c03020").toBuffer(),
    other: await flat("#2050c0").toBuffer(),
    mask: await flat("#000")
      .composite([{ input: white, left: size.width / 2, top: 0 }])
      .png()
      .toBuffer(),
  };
}

function plain(operation: Operation, body: object): ClientRequest {
  return {
    operation,
    expected: "image",
    makeBody: async () => ({ body, onAccepted: () => undefined }),
  };
}

/**
 * An edit of an upload with a mask, or of an earlier result with itself as the mask. Half of the clients
 * delete the uploads as soon as the job is accepted, which then still has to complete.
 */
function editOf(random: Random): ClientRequest {
  const deletes = random.next() < 0.5;
  const prefersJob = random.next() < 0.5;
  const n = random.between(1, 2);
  return {
    operation: "edit",
    expected: "image",
    async makeBody({ pictures, upload, earlierJob, deleteUploads }) {
      const common = { model: "builtin-illustrator", prompt: "a blue lake", n };
      const jobId = prefersJob ? earlierJob() : null;
      if (jobId !== null) {
        const source = { job_id: jobId };
        return { body: { ...common, image: source, mask: source }, onAccepted: () => undefined };
      }
      const [image, mask] = [await upload(pictures.photo), await upload(pictures.mask)];
      return {
        body: { ...common, image: { upload_id: image }, mask: { upload_id: mask } },
        onAccepted: () => deletes && deleteUploads([image, mask]),
      };
    },
  };
}

/** A tool on an upload. */
function toolOn(random: Random): ClientRequest {
  const operation = random.pick(["outpaint", "erase", "vectorize", "variations"] as const);
  return {
    operation,
    expected: "image",
    async makeBody({ pictures, upload }) {
      const model = operation === "vectorize" ? "builtin-tracer" : "builtin-illustrator";
      const image = { upload_id: await upload(pictures.photo) };
      const mask = { upload_id: await upload(pictures.mask) };
      const options = {
        outpaint: { left: 32, bottom: 16, prompt: "a meadow" },
        erase: { mask },
        vectorize: { colors: 4 },
        variations: { n: 2 },
      };
      return { body: { model, image, ...options[operation] }, onAccepted: () => undefined };
    },
  };
}

function combinationOf(random: Random): ClientRequest {
  const deletes = random.next() < 0.5;
  return {
    operation: "combine",
    expected: "image",
    async makeBody({ pictures, upload, earlierJob, deleteUploads }) {
      const jobId = earlierJob();
      const uploaded = await upload(pictures.other);
      const second =
        jobId === null ? { upload_id: await upload(pictures.photo) } : { job_id: jobId };
      const images = [
        { description: "a red fox", upload_id: uploaded },
        { description: "a lighthouse", ...second },
      ];
      const body = { model: "builtin-illustrator", prompt: "both at dusk", images };
      return { body, onAccepted: () => deletes && deleteUploads([uploaded]) };
    },
  };
}

/** An image with an upload as its reference, which stays. */
function referringTo(model: string, random: Random): ClientRequest {
  const n = random.between(1, 3);
  return {
    operation: "image",
    expected: "image",
    async makeBody({ pictures, upload }) {
      const upload_id = await upload(pictures.other);
      const reference_images = [{ description: "a blue area", upload_id }];
      return {
        body: { model, prompt: "a boat on the sea", n, reference_images },
        onAccepted: () => undefined,
      };
    },
  };
}

function graphicOf(random: Random): object {
  const kind = random.pick(["icon", "logo", "illustration"] as const);
  return { model: "builtin-graphic", prompt: "a rocket", kind, n: random.between(1, 2) };
}

const diagram = {
  model: "builtin-diagram",
  prompt: "user → API → queue; the queue feeds three workers",
};

function storyOf(model: string, random: Random): object {
  return {
    model,
    characters: [{ name: "Mara", description: "a girl with red hair" }],
    scenes: Array.from({ length: random.between(2, 3) }, (_, index) => ({
      prompt: `Mara walks along the beach, part ${index + 1}`,
      characters: [{ name: "Mara" }],
    })),
  };
}
