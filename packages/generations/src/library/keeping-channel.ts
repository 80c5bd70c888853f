/** Postgres channel that is notified when workers have something to keep, or files to remove. */
export const keepingChannel = "keeping";

/**
 * SQL that wakes the workers that keep files, in the transaction itself. For statements that an account runs
 * rarely: Postgres commits transactions with a notification one at a time.
 */
export const notifyKeeping = `pg_notify('${keepingChannel}', '')`;
