/** What is wrong with the environment, all of it at once. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** What a setting names could not be opened; the message names the setting. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** A command line or a setting has to be changed before anything can be done; the message says why. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
