import { pathSegment } from "./addresses.ts";
import type { Api } from "./api.ts";
import type { CallOptions } from "./options.ts";
import type { FileList, SkillFile } from "./types.ts";

/** A file as the service sends it. */
export interface DownloadedFile {
  /** What the service calls it, such as `image-generation.zip`. */
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export interface Files {
  /** The skill files that the service offers. */
  list(options?: CallOptions): Promise<readonly SkillFile[]>;
  /**
   * A skill file, made for this account: it holds the API key, so keep it like one.
   *
   * @param options.format one of the template's `formats`; the first of them when left out.
   * @throws NotFoundError when there is no such template; InvalidRequestError for an unknown format.
   */
  download(
    slug: string,
    options?: CallOptions & { readonly format?: string | undefined },
  ): Promise<DownloadedFile>;
}

export function createFiles(api: Api): Files {
  return {
    async list(options) {
      const { files } = await api.getJson<FileList>("/v1/files", options);
      return files ?? [];
    },
    async download(slug, { format, signal } = {}) {
      const body = format === undefined ? {} : { format };
      return api.post(
        `/v1/files/${pathSegment("slug", slug)}`,
        body,
        async (response) => ({
          name: readFileName(response.headers.get("Content-Disposition")) ?? slug,
          mediaType: response.headers.get("Content-Type") ?? "application/octet-stream",
          bytes: new Uint8Array(await response.arrayBuffer()),
        }),
        { signal },
      );
    },
  };
}

/** The file name of a `Content-Disposition` (RFC 6266) without any folder; null when there is none. */
function readFileName(header: string | null): string | null {
  const quoted = /filename="([^"]+)"/i.exec(header ?? "")?.[1];
  const name = quoted ?? /filename=([^;\s"]+)/i.exec(header ?? "")?.[1] ?? "";
  const last = name.split(/[/\\]/).at(-1) ?? "";
  return last === "" || last === "." || last === ".." ? null : last;
}
