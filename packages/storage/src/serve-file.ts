import { open } from "node:fs/promises";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";

/** Headers that pages may read besides those that browsers always show them. */
export const exposedHeaders = ["Content-Length", "Content-Range", "ETag"] as const;

interface ServedFile {
  readonly path: string;
  readonly contentType: string;
  readonly contentDisposition: string;
  /** Cache lifetime for the client, in seconds. */
  readonly maxAgeSeconds: number;
}

/**
 * Responds to a GET or HEAD with a file or one range of it (RFC 9110, section 14), or with 304
 * (`If-None-Match`). The file is streamed.
 *
 * @returns false, without a response, if the file does not exist.
 */
export async function serveFile(
  served: ServedFile,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const file = await open(served.path).catch(nullIfAbsent);
  if (file === null) return false;
  try {
    const stats = await file.stat({ bigint: true });
    if (!stats.isFile()) return false;
    const sizeBytes = Number(stats.size);
    const etag = `"${stats.size.toString(36)}-${stats.mtimeNs.toString(36)}"`;
    const headers: OutgoingHttpHeaders = {
      "accept-ranges": "bytes",
      // The signed URL is the permission, also for the script of a web page.
      "access-control-allow-origin": "*",
      "access-control-expose-headers": exposedHeaders.join(", "),
      "cache-control": `private, max-age=${served.maxAgeSeconds}`,
      "content-disposition": served.contentDisposition,
      "content-type": served.contentType,
      etag,
      "last-modified": new Date(Number(stats.mtimeMs)).toUTCString(),
      "x-content-type-options": "nosniff",
    };
    if (matches(request.headers["if-none-match"], etag)) {
      response.writeHead(304, headers).end();
      return true;
    }
    const ifRange = request.headers["if-range"];
    const rangeCounts = request.method === "GET" && (ifRange === undefined || ifRange === etag);
    const range = rangeCounts ? parseRange(request.headers.range, sizeBytes) : "whole";
    if (range === "unsatisfiable") {
      response.writeHead(416, { "content-range": `bytes */${sizeBytes}` }).end();
      return true;
    }
    const { start, end } = range === "whole" ? { start: 0, end: sizeBytes - 1 } : range;
    headers["content-length"] = end - start + 1;
    if (range !== "whole") headers["content-range"] = `bytes ${start}-${end}/${sizeBytes}`;
    response.writeHead(range === "whole" ? 200 : 206, headers);
    if (request.method === "HEAD" || sizeBytes === 0) {
      response.end();
      return true;
    }
    await pipeline(file.createReadStream({ start, end, autoClose: false }), response).catch(
      ignoreDisconnect,
    );
    return true;
  } finally {
    await file.close();
  }
}

/**
 * Parses a single byte range. Malformed ranges, other units and multiple ranges select the whole file,
 * as the RFC allows.
 */
function parseRange(
  header: string | undefined,
  sizeBytes: number,
): { start: number; end: number } | "whole" | "unsatisfiable" {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined || first + last === "") return "whole";
  if (first === "") {
    const start = Math.max(0, sizeBytes - Number(last));
    return start < sizeBytes ? { start, end: sizeBytes - 1 } : "unsatisfiable";
  }
  const start = Number(first);
  const end = last === "" ? Infinity : Number(last);
  if (end < start) return "whole";
  return start < sizeBytes ? { start, end: Math.min(end, sizeBytes - 1) } : "unsatisfiable";
}

/** `If-None-Match` uses weak comparison, so a `W/` added by a proxy is ignored. */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((one) => ["*", etag].includes(one.trim().replace(/^W\//, "")));
}

function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
  throw error;
}

function ignoreDisconnect(error: NodeJS.ErrnoException): void {
  const disconnectCodes = [
    "ERR_STREAM_PREMATURE_CLOSE",
    "ERR_STREAM_UNABLE_TO_PIPE",
    "ECONNRESET",
    "EPIPE",
  ];
  if (!disconnectCodes.includes(error.code ?? "")) throw error;
}
