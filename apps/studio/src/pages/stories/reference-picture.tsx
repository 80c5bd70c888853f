import type { ImageSource, Job } from "@atelier/schemas";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useRef, type ClipboardEvent, type DragEvent } from "react";
import { ApiError, call, messageOf } from "../../api.ts";
import { jobQuery, queryClient } from "../../data/queries.ts";
import { texts } from "../../texts/stories.ts";
import { Icon } from "../../ui/icons.tsx";
import { showToast } from "../../ui/toast.tsx";
import { thumbnailOf, uploadQuery } from "./queries.ts";
import styles from "./reference-picture.module.css";
import { StoryPicture } from "./story-picture.tsx";

const accepted = ["image/png", "image/jpeg", "image/webp", "image/avif"];

/** The image in what was dropped or pasted, if any. */
function imageIn(data: DataTransfer): File | undefined {
  return [...data.files].find(({ type }) => accepted.includes(type));
}

/** The uploads of pictures that are in progress. */
export const uploadFilter = { mutationKey: ["story-picture"] };

/** Uploads an image, and tells its source. */
export function useUpload(onUploaded: (source: ImageSource) => void) {
  return useMutation({
    ...uploadFilter,
    mutationFn: (file: File) => call("POST /v1/uploads", { body: file }),
    onSuccess: (upload) => {
      queryClient.setQueryData(uploadQuery(upload.id).queryKey, upload);
      onUploaded({ upload_id: upload.id });
    },
  });
}

/** Handlers that take a dropped or pasted image anywhere within an element. */
export function takeImages(onImage: (file: File) => void) {
  return {
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes("Files")) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      const file = imageIn(event.dataTransfer);
      if (file === undefined) showToast(texts.stories.notAPicture);
      else onImage(file);
    },
    onPaste: (event: ClipboardEvent) => {
      const file = imageIn(event.clipboardData);
      if (file === undefined) return;
      event.preventDefault();
      onImage(file);
    },
  };
}

/** Handlers that keep the browser from opening a file that is dropped beside a card. */
export const keepPage = {
  onDragOver: (event: DragEvent) => {
    if (event.dataTransfer.types.includes("Files")) event.preventDefault();
  },
  onDrop: (event: DragEvent) => {
    if (event.defaultPrevented || !event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    showToast(texts.stories.dropOnCard);
  },
};

/** The picture that a character, place or state is drawn after: chosen, dropped or pasted. */
export function ReferencePicture(props: {
  /** Description of the picture for screen readers. */
  readonly name: string;
  readonly source: ImageSource | null;
  readonly upload: ReturnType<typeof useUpload>;
  readonly problem?: string | undefined;
  readonly onRemove: () => void;
}) {
  const { name, source, upload, problem, onRemove } = props;
  const input = useRef<HTMLInputElement>(null);
  const message = upload.error === null ? problem : messageOf(upload.error);
  return (
    <div className={styles.reference}>
      <label className={styles.box} aria-busy={upload.isPending}>
        <input
          ref={input}
          type="file"
          className="sr"
          accept={accepted.join()}
          aria-label={
            source === null ? texts.stories.addPicture(name) : texts.stories.changePicture(name)
          }
          onChange={({ target }) => {
            const file = target.files?.[0];
            if (file !== undefined) upload.mutate(file);
            target.value = "";
          }}
        />
        {source === null ? (
          <span className={styles.empty}>
            <Icon name="image" size={20} />
            {upload.isPending ? texts.stories.uploading : texts.stories.picture}
          </span>
        ) : (
          <SourcePicture source={source} />
        )}
      </label>
      {source !== null && (
        <button
          type="button"
          className={styles.remove}
          aria-label={texts.stories.removePicture(name)}
          title={texts.stories.removePicture(name)}
          onClick={() => {
            onRemove();
            input.current?.focus();
          }}
        >
          <Icon name="close" size={14} />
        </button>
      )}
      {message !== undefined && (
        <p role="alert" className={styles.problem}>
          {message}
        </p>
      )}
    </div>
  );
}

/** The picture that a client supplied. */
export function SourcePicture({ source }: { readonly source: ImageSource }) {
  const { upload_id: uploadId, job_id: jobId, image = 0 } = source;
  const upload = useQuery({ ...uploadQuery(uploadId ?? ""), enabled: uploadId !== undefined });
  const job = useQuery({ ...jobQuery(jobId ?? ""), enabled: jobId !== undefined });
  if (source.url !== undefined) return <span className={styles.empty}>{hostOf(source.url)}</span>;
  const { error, isSuccess, refetch } = uploadId === undefined ? job : upload;
  const url = upload.data?.url ?? memberOf(job.data, source) ?? thumbnailOf(job.data, image);
  if (url !== undefined) {
    return <StoryPicture url={url} alt="" onExpired={() => void refetch()} />;
  }
  const isGone = isSuccess || (error instanceof ApiError && error.status === 404);
  if (isGone) return <span className={styles.empty}>{texts.stories.pictureGone}</span>;
  return <span className={styles.empty}>{error !== null && texts.stories.pictureUnread}</span>;
}

/** The small picture of a portrait or a place of a story; undefined for other sources. */
function memberOf(
  job: Job | undefined,
  { portrait, state, location }: ImageSource,
): string | undefined {
  if (portrait === undefined && location === undefined) return undefined;
  return job?.renders?.find(
    (render) =>
      render.name === (portrait ?? location) &&
      render.state === state &&
      (render.role === "location") === (location !== undefined),
  )?.thumbnail_url;
}

/** Pages may show images of this service only. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
