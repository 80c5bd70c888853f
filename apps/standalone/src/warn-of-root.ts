/**
 * Returns a warning when the service is started as root: Postgres changes to an ordinary user, but the
 * API and the worker, which read files of strangers, do not.
 *
 * @param uid of this process; undefined where users have no numbers.
 */
export function warnOfRoot(uid: number | undefined): string | null {
  if (uid !== 0) return null;
  return "API and worker run as root. Start this as an ordinary user who owns ATELIER_HOME and can read this folder.";
}
