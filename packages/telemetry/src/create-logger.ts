import { escapeControls } from "@atelier/kit";
import { pino, type LevelWithSilent, type Logger } from "pino";

export type { Logger } from "pino";

/** Error properties that must not be logged. */
const unloggedProperties = [
  // Postgres includes the rejected row, which may contain a prompt.
  "detail",
  "where",
  // The Redis client includes the command, which may contain the password.
  "command",
];
const redact = {
  paths: unloggedProperties.flatMap((property) => [
    `err.${property}`,
    `err.aggregateErrors[*].${property}`,
  ]),
  remove: true,
};

/**
 * Creates the logger of a process, which writes JSON lines.
 *
 * @param service the program that logs, such as `api`.
 * @param file path of a file that the lines are appended to; stdout by default.
 */
export function createLogger(
  service: string,
  level: LevelWithSilent,
  file: string | number = process.stdout.fd,
): Logger {
  const destination = pino.destination({
    dest: file,
    // Synchronous: a killed process has already written all its lines, and an exiting process has
    // no buffered lines that a full disk would keep it waiting for.
    sync: true,
    // Do not block on a slow reader. Up to this many bytes are buffered, and the rest is dropped.
    retryEAGAIN: () => false,
    maxLength: 1_000_000,
  });
  destination.on("error", () => undefined);
  // JSON escapes only some of the characters that a terminal obeys.
  const hooks = { streamWrite: (line: string) => escapeControls(line) };
  return pino({ level, base: { service, pid: process.pid }, redact, hooks }, destination);
}
