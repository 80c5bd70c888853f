/**
 * Server settings of every connection of a program, in milliseconds. A process that freezes in a
 * transaction, or a host that vanishes, must not lock its rows for ever.
 */
export const statementTimeouts = {
  statement_timeout: 30_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 10_000,
} as const;

/**
 * Startup parameter of every connection: days and months that are added to a time are those of UTC, without hours of
 * daylight saving time.
 */
export const inUtc = "-c TimeZone=UTC";

/**
 * Startup parameters for work that may take as long as it likes, such as migrations, whatever the
 * defaults of the role are. For direct connections only.
 */
export const withoutTimeouts = [
  inUtc,
  ...Object.keys(statementTimeouts).map((name) => `-c ${name}=0`),
].join(" ");
