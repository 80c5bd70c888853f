import { pino, type LevelWithSilent, type Logger } from "pino";

export type { Logger } from "pino";

/**
 * A logger of a process, which writes JSON lines to stdout.
 *
 * @param service which program logs, such as `api`.
 */
export function createLogger(service: string, level: LevelWithSilent): Logger {
  return pino({
    level,
    base: { service, pid: process.pid },
    // There Postgres repeats the row that it refused, which may hold a prompt.
    redact: { paths: ["err.detail", "err.where"], remove: true },
  });
}
