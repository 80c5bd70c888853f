import type { ImageFormat } from "@atelier/schemas";
import { useMutation } from "@tanstack/react-query";
import { ApiError, messageOf, request } from "../../../api.ts";
import { fileNameOf, saveFile } from "../../../data/save-file.ts";
import { formatBytes } from "../../../format.ts";
import { texts } from "../../../texts/library.ts";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { archiveFormats, mostBytes, type SelectedFiles } from "./selected-files.ts";

/** Saves the images of the selected jobs as a ZIP in a format, whose size each item says. */
export function DownloadMenu({ files }: { readonly files: SelectedFiles }) {
  const { jobIds, bytes } = files;
  const downloading = useMutation({
    mutationFn: async (format: ImageFormat) => {
      const body = { job_ids: jobIds, format };
      const response = await request("POST /v1/jobs/archive", { body });
      saveFile(fileNameOf(response, "atelier-images.zip"), await response.blob());
    },
    onError: (error, format) => {
      // The portraits of stories, whose sizes lists do not have, may have made it too large.
      const isTooLarge = error instanceof ApiError && error.code === "invalid_request";
      showToast(isTooLarge ? texts.library.tooLarge(format.toUpperCase()) : messageOf(error));
    },
  });
  function download(format: ImageFormat): void {
    if (bytes[format] > mostBytes) showToast(texts.library.tooLarge(format.toUpperCase()));
    else downloading.mutate(format);
  }
  return (
    <Menu
      name={downloading.isPending ? texts.library.zipping : texts.library.download}
      icon="download"
      isNamed
      isDisabled={jobIds.length === 0 || downloading.isPending}
    >
      {() =>
        archiveFormats.map((format) => (
          <MenuItem key={format} icon="download" onSelect={() => download(format)}>
            {texts.library.zipAs(format.toUpperCase())}{" "}
            <small className="num">{formatBytes(bytes[format])}</small>
          </MenuItem>
        ))
      }
    </Menu>
  );
}
