import type { UploadResponse } from "@atelier/schemas";
import { useState } from "react";
import { call, messageOf } from "../../../api.ts";
import { queryClient } from "../../../data/queries.ts";
import { sessionSignal } from "../../../data/session-signal.ts";
import { texts } from "../../../texts.ts";
import { uploadQuery } from "./use-source.ts";

/** The service accepts at most this many bytes. */
const maxBytes = 20_000_000;
const types = ["image/png", "image/jpeg", "image/webp", "image/avif"];

/** For the attribute `accept` of a file field. */
export const acceptedTypes = types.join();

/** Sends a file to the service. */
export async function uploadImage(file: Blob): Promise<UploadResponse> {
  const upload = await call("POST /v1/uploads", { body: file });
  queryClient.setQueryData(uploadQuery(upload.id).queryKey, upload);
  return upload;
}

/** Sends files one after another and reports each that arrived. */
export function useUploads(onUploaded: (upload: UploadResponse, file: File) => void): {
  /** Sends at most so many of the files. */
  readonly upload: (files: readonly File[], most: number) => void;
  readonly pending: number;
  readonly problem: string | undefined;
  /** Takes the problem of an earlier file away. */
  readonly forget: () => void;
} {
  const [pending, setPending] = useState(0);
  const [problem, setProblem] = useState<string | undefined>();
  async function uploadAll(given: readonly File[], most: number): Promise<void> {
    const signal = sessionSignal();
    const files = given.slice(0, most);
    setProblem(given.length > most ? texts.create.notAdded(given.length - most) : undefined);
    setPending((count) => count + files.length);
    for (const file of files) {
      if (signal.aborted) return;
      try {
        const refusal = refusalOf(file);
        if (refusal === null) onUploaded(await uploadImage(file), file);
        else setProblem(refusal);
      } catch (error) {
        setProblem(`${file.name}: ${messageOf(error)}`);
      } finally {
        setPending((count) => count - 1);
      }
    }
  }
  return {
    upload: (files, most) => void uploadAll(files, most),
    pending,
    problem,
    forget: () => setProblem(undefined),
  };
}

function refusalOf({ name, type, size }: File): string | null {
  if (!types.includes(type)) return texts.create.wrongType(name);
  return size > maxBytes ? texts.create.tooLarge(name) : null;
}
