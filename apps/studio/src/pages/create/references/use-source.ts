import type { ImageSource } from "@atelier/schemas";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { ApiError, call } from "../../../api.ts";
import { jobQuery, queryClient } from "../../../data/queries.ts";
import { imagesOf } from "../../../pictures/images-of.ts";

/** An upload. Every read returns a new signed URL. */
export function uploadQuery(id: string) {
  return queryOptions({
    queryKey: ["upload", id],
    queryFn: ({ signal }) => call("GET /v1/uploads/{id}", { id, signal }),
  });
}

/** The picture of a source. */
export interface SourcePicture {
  /** Undefined until it is known. */
  readonly url: string | undefined;
  /** A smaller version, if there is one. */
  readonly thumbnailUrl: string | undefined;
  /** Whether the image was deleted. */
  readonly isMissing: boolean;
  /** Reads new signed URLs. */
  readonly refresh: () => void;
}

/** Reads where the picture of an upload or of a job's image is. */
export function useSource({
  upload_id: uploadId,
  job_id: jobId,
  image = 0,
}: ImageSource): SourcePicture {
  const upload = useQuery({ ...uploadQuery(uploadId ?? ""), enabled: uploadId !== undefined });
  const job = useQuery({ ...jobQuery(jobId ?? ""), enabled: jobId !== undefined });
  const { result = null } = job.data ?? {};
  const picture = result === null ? undefined : imagesOf(result)[image];
  const url = upload.data?.url ?? picture?.url;
  const error = upload.error ?? job.error;
  return {
    url,
    thumbnailUrl: upload.data?.url ?? picture?.thumbnailUrl ?? url,
    isMissing:
      (error instanceof ApiError && error.status === 404) || (job.isSuccess && url === undefined),
    refresh: () => {
      const { queryKey } = uploadId === undefined ? jobQuery(jobId ?? "") : uploadQuery(uploadId);
      void queryClient.invalidateQueries({ queryKey: [...queryKey] });
    },
  };
}
