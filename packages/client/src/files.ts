import type { Api } from "./api.ts";
import type { CallOptions } from "./options.ts";
import type { SkillFile } from "./types.ts";

/** A downloaded file. */
export interface DownloadedFile {
  /** The file name, such as `image-generation.zip`. */
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Name and limits of the key of one file. */
export interface FileKey {
  /** Shown in lists of keys. Default: `Skill file` and the slug. */
  readonly name?: string | undefined;
  /** Maximum total cost of its jobs, such as `2.00`; further requests with the key are refused. */
  readonly budget_eur: string;
  /** 1 to 3,650; the key is refused afterwards. Default: it expires with the client's own key. */
  readonly expires_in_days?: number | undefined;
}

export interface Files {
  /**
   * Lists the skill file templates.
   *
   * @example
   * ```ts
   * const templates = await atelier.files.list();
   * console.log(templates.map(({ slug, formats }) => [slug, formats]));
   * ```
   */
  list(options?: CallOptions): Promise<readonly SkillFile[]>;
  /**
   * Downloads a skill file for this account. Keep it secret if it contains an API key.
   *
   * @param options.format one of the template's `formats`. Default: the first.
   * @param options.key a new key for the file. Default: the file contains this client's key.
   * @param options.embed_key false puts `YOUR_API_KEY` in place of a key; not together with `key`.
   * @throws NotFoundError for an unknown template; InvalidRequestError for an unknown format.
   *
   * @example
   * ```ts
   * const { name, bytes } = await atelier.files.download("image-generation", {
   *   format: "agent-skill",
   *   key: { budget_eur: "2.00", expires_in_days: 30 },
   * });
   * await writeFile(name, bytes);
   * ```
   */
  download(
    slug: string,
    options?: CallOptions & {
      readonly format?: string | undefined;
      readonly key?: FileKey | undefined;
      readonly embed_key?: boolean | undefined;
    },
  ): Promise<DownloadedFile>;
}

export function createFiles({ call, send }: Api): Files {
  return {
    async list(options) {
      const { files } = await call("GET /v1/files", options);
      return files ?? [];
    },
    download: (slug, { format, key, embed_key, signal } = {}) =>
      send(
        "POST /v1/files/{slug}",
        async (response) => ({
          name: readFileName(response.headers.get("Content-Disposition")) ?? slug,
          mediaType: response.headers.get("Content-Type") ?? "application/octet-stream",
          bytes: new Uint8Array(await response.arrayBuffer()),
        }),
        { params: { slug }, body: { format, key, embed_key }, signal, once: key !== undefined },
      ),
  };
}

/** Reads the file name of a `Content-Disposition` (RFC 6266), without folders; null if none exists. */
function readFileName(header: string | null): string | null {
  const quoted = /filename="([^"]+)"/i.exec(header ?? "")?.[1];
  const name = quoted ?? /filename=([^;\s"]+)/i.exec(header ?? "")?.[1] ?? "";
  const last = name.split(/[/\\]/).at(-1) ?? "";
  return last === "" || last === "." || last === ".." ? null : last;
}
