import { detectReceivedFormat } from "@atelier/kit";
import { AppError, invalidRequest, maxUploadBytes } from "@atelier/schemas";
import { createBase64Decoder, type Base64Decoder } from "./decode-base64.ts";
import { maxBodyBytes, tooLarge } from "./receive-body.ts";
import { notAnImage, signatureBytes, uploadTooLarge } from "./receive-upload.ts";

/** An image that arrived within a request. */
export interface InlineImage {
  /** That of the upload that it becomes. */
  readonly id: string;
  /** Where the request has it, such as `image.base64`. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly sha256: string;
}

/** The members of a JSON text that may be images. */
export interface ImageMembers {
  /** Whose text is base64, with or without a `data:` prefix. */
  readonly base64: ReadonlySet<string>;
  /** Whose text may be a `data:` URL or the base64 of an image, among others. */
  readonly urls: ReadonlySet<string>;
  /** Whose text may contain `data:` URLs of images, as Markdown does; only with `problems`. */
  readonly texts?: ReadonlySet<string>;
  /**
   * Takes the problem of each image that cannot be used, by the id that replaces it; of too many images, the
   * last ones are kept. Without it, the problem is thrown.
   */
  readonly problems?: Map<unknown, AppError>;
  /** The members of the body that they are in. Default: all but `metadata` and `parameters`. */
  readonly within?: ReadonlySet<string>;
}

/** A JSON text without its images: each is replaced by the id of the upload that it becomes. */
export interface CutText {
  readonly text: Buffer;
  readonly images: readonly InlineImage[];
}

/** Members whose content belongs to the client or the model, and has no images. */
const ownContent: ReadonlySet<string> = new Set(["metadata", "parameters"]);
/** Deeper levels than requests have; the check of the structure refuses them. */
const maxLevels = 64;
/** The names of all members of requests are shorter. */
const maxNameBytes = 100;
/** The longest beginning of a text that is read to see whether it is an image. */
const maxHeadBytes = 200;
/** A data: URL (RFC 2397); PHP escapes slashes in JSON. */
const dataUrl = /^data:([^,]*),/i;
/** The base64 of the signatures of PNG, JPEG, WebP and AVIF. */
const signature = /^(?:iVBORw0KGg[o-r]|(?:\\?\/)9j(?:\\?\/)|UklGR|AAAA[A-Za-z0-9+/]{2}Z0eX)/;
/** The end of a text before the data of a `data:` URL in it: its last bytes, in lower case, and all of it. */
const beforeData = Buffer.from(";base64");
const embedded = /data:image\\?\/[a-z0-9.+-]{1,40};base64$/i;
const maxEmbeddedBytes = 64;
const partialEscape = /\\(?:u[0-9a-fA-F]{0,3})?$/;
const escape = /\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g;

const [quote, backslash, comma, colon, slash] = [0x22, 0x5c, 0x2c, 0x3a, 0x2f];
/** The characters of base64, by their codes. */
const isBase64Byte = Array.from({ length: 256 }, (_, code) =>
  /[A-Za-z0-9+/=]/.test(String.fromCharCode(code)),
);
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

interface Level {
  readonly isList: boolean;
  name: string;
  index: number;
}

/**
 * Cuts the images out of a JSON text while it arrives, so that only their bytes are kept and nothing
 * else ever sees them. Text that is not valid JSON is kept as far as it has no images, and refused when
 * it is parsed.
 *
 * @param maxImages how many images a text may have.
 * @param newId creates the id of each image.
 */
export function createImageCutter(members: ImageMembers, maxImages: number, newId: () => string) {
  const kept: Buffer[] = [];
  /** The last part that is kept, which grows while the text goes on: a text may have 300,000 strings. */
  let run: { readonly chunk: Buffer; readonly from: number; to: number } = {
    chunk: Buffer.alloc(0),
    from: 0,
    to: 0,
  };
  const images: InlineImage[] = [];
  const levels: Level[] = [];
  let keptBytes = 0;
  let isTooDeep = false;
  /** Whether the next string is the name of a member. */
  let isName = false;
  let state: "text" | "string" | "name" | "head" | "image" | "embedded" | "refused" = "text";
  /** Whether the string may contain `data:` URLs, and the end of what was read of it. */
  let mayEmbed = false;
  let tail = "";
  let isEscaped = false;
  let name = "";
  let head = "";
  let escaped = "";
  let decoder: Base64Decoder | null = null;
  let refusedId = "";

  function keep(chunk: Buffer, from = 0, to = chunk.length): void {
    keptBytes += to - from;
    if (keptBytes > maxBodyBytes) throw tooLarge(maxBodyBytes);
    if (chunk === run.chunk && from === run.to) {
      run.to = to;
      return;
    }
    endRun();
    run = { chunk, from, to };
  }

  function endRun(): void {
    kept.push(run.chunk.subarray(run.from, run.to));
  }

  const pathOfValue = () =>
    levels.map(({ isList, name: member, index }) => (isList ? index : member)).join(".");

  /** The nearest name: the items of a list have that of the list. */
  const memberName = () => levels.findLast(({ isList }) => !isList)?.name ?? "";

  function mayHaveImages(): boolean {
    const outer = levels[0]?.name ?? "";
    return !isTooDeep && !ownContent.has(outer) && members.within?.has(outer) !== false;
  }

  function mayBeImage(): boolean {
    const member = memberName();
    return mayHaveImages() && (members.base64.has(member) || members.urls.has(member));
  }

  function open(isList: boolean): void {
    if (levels.length >= maxLevels) isTooDeep = true;
    else levels.push({ isList, name: "", index: 0 });
    isName = !isList;
  }

  /** Reads structure up to the next string. */
  function readText(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === quote) {
        keep(chunk, from, at + 1);
        name = "";
        head = "";
        isEscaped = false;
        tail = "";
        mayEmbed = !isName && members.texts?.has(memberName()) === true && mayHaveImages();
        state = isName ? "name" : mayBeImage() ? "head" : "string";
        return at + 1;
      }
      const level = levels.at(-1);
      if (byte === openBracket || byte === openBrace) open(byte === openBracket);
      else if (byte === closeBracket || byte === closeBrace) levels.pop();
      else if (byte === colon) isName = false;
      else if (byte === comma && level !== undefined) {
        level.index += 1;
        isName = !level.isList;
      }
    }
    keep(chunk, from);
    return chunk.length;
  }

  /** Reads a string that is kept, up to its end. */
  function readString(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at];
      if (isEscaped) isEscaped = false;
      else if (byte === backslash) isEscaped = true;
      else if (byte === quote) return endString(chunk, from, at);
      else if (byte === comma && mayEmbed && isBeforeData(chunk, from, at)) {
        return startEmbedded(chunk, from, at + 1);
      }
    }
    if (mayEmbed) tail = endOfText(chunk, from, chunk.length);
    if (state === "name" && name.length < maxNameBytes) name += chunk.toString("latin1", from);
    if (state !== "refused") keep(chunk, from);
    return chunk.length;
  }

  function endString(chunk: Buffer, from: number, end: number): number {
    if (state === "name") {
      name += chunk.toString("latin1", from, Math.min(end, from + maxNameBytes));
      const level = levels.at(-1);
      if (level !== undefined) level.name = name;
    }
    if (state === "refused") keep(Buffer.from(refusedId));
    keep(chunk, state === "refused" ? end : from, end + 1);
    state = "text";
    return end + 1;
  }

  /** The last characters of a string up to a place in a chunk. */
  function endOfText(chunk: Buffer, from: number, at: number): string {
    const part = chunk.toString("latin1", Math.max(from, at - maxEmbeddedBytes), at);
    return `${tail}${part}`.slice(-maxEmbeddedBytes);
  }

  function isBeforeData(chunk: Buffer, from: number, at: number): boolean {
    if (state !== "string") return false;
    // A text may have a million commas: most are rejected without a pattern.
    const bytes = Math.min(beforeData.length, at - from);
    for (let back = 1; back <= bytes; back++) {
      // The bit that makes a letter lower-case.
      if (((chunk[at - back] ?? 0) | 0x20) !== beforeData.at(-back)) return false;
    }
    return embedded.test(endOfText(chunk, from, at));
  }

  function startEmbedded(chunk: Buffer, from: number, at: number): number {
    keep(chunk, from, at);
    startImage("");
    isEscaped = false;
    state = "embedded";
    return at;
  }

  /** Reads the data of an image within a text, up to a character that is not base64. */
  function readEmbedded(chunk: Buffer, from: number): number {
    let at = from;
    for (; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      // After a backslash, only a slash belongs to the data.
      const isData = isEscaped ? byte === slash : byte === backslash || isBase64Byte[byte] === true;
      if (!isData) break;
      isEscaped = byte === backslash;
    }
    decode(chunk.toString("latin1", from, at));
    if (at < chunk.length) endEmbedded();
    return at;
  }

  function endEmbedded(): void {
    escaped = "";
    if (decoder === null || !endImage()) keep(Buffer.from(refusedId));
    // It begins an escape of the text that follows.
    if (isEscaped) keep(Buffer.from([backslash]));
    tail = "";
    state = "string";
  }

  /** Reads the beginning of a string that may be an image. */
  function readHead(chunk: Buffer, from: number): number {
    const until = Math.min(chunk.length, from + maxHeadBytes - head.length);
    const end = chunk.subarray(from, until).indexOf(quote);
    const at = end === -1 ? until : from + end;
    head += chunk.toString("latin1", from, at);
    if (end === -1 && head.length < maxHeadBytes) return at;
    decide();
    return at;
  }

  /** Decides by its beginning what a string is. */
  function decide(): void {
    const [prefix = "", type = null] = dataUrl.exec(head) ?? [];
    const isDataUrl = /^data:/i.test(head);
    if (isDataUrl && !/;base64$/i.test(type ?? "")) return refuse(notBase64(pathOfValue()), head);
    const isBase64 = members.base64.has(memberName()) && head !== "";
    if (isDataUrl || isBase64 || signature.test(head)) return startImage(head.slice(prefix.length));
    isEscaped = endsInEscape(head);
    keep(Buffer.from(head, "latin1"));
    state = "string";
  }

  /** @param text the image so far, or the end of it. */
  function refuse(problem: AppError, text: string): void {
    if (members.problems === undefined) throw problem;
    refusedId = newId();
    members.problems.set(refusedId, problem);
    decoder = null;
    if (state === "embedded") return;
    isEscaped = endsInEscape(text);
    state = "refused";
  }

  function startImage(beginning: string): void {
    if (images.length >= maxImages) {
      const first = members.problems === undefined ? undefined : images.shift();
      const problem = tooManyImages(maxImages, first?.path ?? pathOfValue());
      if (first === undefined) throw problem;
      members.problems?.set(first.id, problem);
    }
    decoder = createBase64Decoder(maxUploadBytes);
    escaped = "";
    state = "image";
    decode(beginning);
  }

  function readImage(chunk: Buffer, from: number): number {
    const end = chunk.indexOf(quote, from);
    const at = end === -1 ? chunk.length : end;
    if (at > from) decode(chunk.toString("latin1", from, at));
    if (end === -1 || state === "refused") return at;
    if (!endImage()) return at;
    keep(chunk, end, end + 1);
    state = "text";
    return at + 1;
  }

  function decode(part: string): void {
    if (decoder === null) return;
    const raw = escaped + part;
    escaped = partialEscape.exec(raw)?.[0] ?? "";
    const complete = escaped === "" ? raw : raw.slice(0, -escaped.length);
    const text = complete.includes("\\") ? complete.replace(escape, resolveEscape) : complete;
    const isRecognised = decoder.bytes().byteLength >= signatureBytes;
    const problem = decoder.write(text);
    if (problem !== null) return refuse(refusal(problem, pathOfValue()), raw);
    const bytes = decoder.bytes();
    if (isRecognised || bytes.byteLength < signatureBytes) return;
    if (detectReceivedFormat(bytes) === null) refuse(notAnImage(bytes, pathOfValue()), raw);
  }

  /** Returns false for an image that was refused, whose text is not read up to its end. */
  function endImage(): boolean {
    const path = pathOfValue();
    const decoded = escaped === "" ? (decoder?.end() ?? "invalid") : "invalid";
    const isText = typeof decoded === "string";
    if (isText || detectReceivedFormat(decoded.bytes) === null) {
      refuse(isText ? refusal(decoded, path) : notAnImage(decoded.bytes, path), escaped);
      return false;
    }
    const id = newId();
    images.push({ id, path, ...decoded });
    keep(Buffer.from(id));
    decoder = null;
    return true;
  }

  const readers = {
    text: readText,
    string: readString,
    name: readString,
    head: readHead,
    image: readImage,
    embedded: readEmbedded,
    refused: readString,
  };

  return {
    /** @throws AppError `request_too_large`, `upload_invalid` or `invalid_request`. */
    push(chunk: Buffer): void {
      let at = 0;
      while (at < chunk.length) at = readers[state](chunk, at);
    },
    end(): CutText {
      endRun();
      return { text: Buffer.concat(kept, keptBytes), images };
    },
  };
}

/** Resolves an escape of JSON; white space between the digits of base64 has no meaning. */
function resolveEscape(_escape: string, code: string | undefined, letter: string): string {
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16)).trim();
  return "nrt".includes(letter) ? "" : letter;
}

/** Whether the next character of a JSON text is escaped: an odd number of backslashes is before it. */
function endsInEscape(text: string): boolean {
  let backslashes = 0;
  while (text.at(-1 - backslashes) === "\\") backslashes += 1;
  return backslashes % 2 === 1;
}

function refusal(problem: "invalid" | "too_large", path: string): AppError {
  return problem === "invalid" ? notBase64(path) : uploadTooLarge(path);
}

function notBase64(path: string): AppError {
  return invalidRequest({ path, code: "invalid_format", message: "must be an image in base64" });
}

function tooManyImages(most: number, path: string): AppError {
  const message = `is one image too many: a request may have ${most} in base64`;
  return invalidRequest({ path, code: "too_big", message });
}
