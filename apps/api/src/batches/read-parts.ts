import type { NewPart } from "@atelier/generations/batches";
import { AppError, maxBatchLines } from "@atelier/schemas";
import { maxBodyBytes } from "../http/body/receive-body.ts";
import { isBlank, joinWithNewlines, newline, partBytes } from "./split-lines.ts";

/**
 * Reads a file of JSON lines as its bytes arrive, and holds one part of it in memory. Empty lines may be only
 * at its end, so that the lines of the batch are the lines of the file.
 *
 * @param checkLine throws an AppError for a line that is not a request; it gets the line's number from 1.
 * @returns the parts of the batch, in their order.
 * @throws AppError `invalid_request` or `request_too_large`, with the number of the line.
 */
export async function* readParts(
  chunks: AsyncIterable<Buffer>,
  checkLine: (line: Buffer, number: number) => void,
): AsyncGenerator<NewPart> {
  let lineCount = 0;
  let firstEmpty: number | null = null;
  let lines: Buffer[] = [];
  let bytes = 0;
  let rest: Buffer[] = [];
  let restBytes = 0;

  function add(slice: Buffer): void {
    restBytes += slice.byteLength;
    if (restBytes > maxBodyBytes) throw lineTooLarge(lineCount + 1);
    rest.push(slice);
  }

  function endLine(): void {
    const line = rest.length === 1 && rest[0] !== undefined ? rest[0] : Buffer.concat(rest);
    rest = [];
    restBytes = 0;
    if (isBlank(line)) {
      firstEmpty ??= lineCount + 1;
      return;
    }
    if (firstEmpty !== null) throw emptyLine(firstEmpty);
    lineCount += 1;
    if (lineCount > maxBatchLines) throw tooManyLines();
    checkLine(line, lineCount);
    lines.push(line);
    bytes += line.byteLength + 1;
  }

  function endPart(): NewPart {
    const firstLine = lineCount + 1 - lines.length;
    const part = { firstLine, lastLine: lineCount, lines: joinWithNewlines(lines) };
    lines = [];
    bytes = 0;
    return part;
  }

  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.byteLength;) {
      const end = chunk.indexOf(newline, start);
      add(chunk.subarray(start, end === -1 ? chunk.byteLength : end));
      if (end === -1) break;
      endLine();
      if (bytes >= partBytes) yield endPart();
      start = end + 1;
    }
  }
  endLine();
  if (lines.length > 0) yield endPart();
  if (lineCount === 0) throw noLines();
}

function lineTooLarge(line: number): AppError {
  const message = `is larger than ${maxBodyBytes / 1_048_576} MB`;
  return new AppError("request_too_large", `Line ${line} ${message}. Shorten the request.`, {
    details: [{ path: "", code: "too_large", message, line }],
  });
}

function tooManyLines(): AppError {
  const message = `has more than ${maxBatchLines} lines`;
  return new AppError("request_too_large", `The file ${message}. Send several batches.`, {
    details: [{ path: "", code: "too_large", message, line: maxBatchLines + 1 }],
  });
}

function emptyLine(line: number): AppError {
  const message = "is empty";
  return new AppError("invalid_request", `Line ${line} ${message}. Remove it.`, {
    details: [{ path: "", code: "invalid_json", message, line }],
  });
}

function noLines(): AppError {
  const message = "has no lines";
  return new AppError("invalid_request", `The file ${message}. Write one request in each line.`, {
    details: [{ path: "", code: "too_small", message, line: 1 }],
  });
}
