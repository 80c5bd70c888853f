import { pino, type LevelWithSilent, type Logger } from "pino";

export type { Logger } from "pino";

/** What errors carry that nobody is to read in a log. */
const unsaid = [
  // Postgres repeats there the row that it refused, which may hold a prompt.
  "detail",
  "where",
  // A client of Redis tells there what it sent: the password, where that is refused.
  "command",
];
const redact = {
  paths: unsaid.flatMap((property) => [`err.${property}`, `err.aggregateErrors[*].${property}`]),
  remove: true,
};

/**
 * A logger of a process, which writes JSON lines to stdout.
 *
 * @param service which program logs, such as `api`.
 */
export function createLogger(service: string, level: LevelWithSilent): Logger {
  const destination = pino.destination({
    dest: process.stdout.fd,
    // At once: a process that is killed has written all it had to say, and one that ends has nothing
    // left to write, for which a full disk would have it wait for ever.
    sync: true,
    // Nobody waits for a reader that is slow. What cannot be written is kept up to this many bytes, and
    // the rest is lost.
    retryEAGAIN: () => false,
    maxLength: 1_000_000,
  });
  destination.on("error", () => undefined);
  return pino({ level, base: { service, pid: process.pid }, redact }, destination);
}
