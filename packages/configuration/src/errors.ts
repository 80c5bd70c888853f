/** All problems of the environment variables at once. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** A resource that a setting names could not be opened; the message names the setting. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** An error that the operator must fix in the command line or a setting; the message says how. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
