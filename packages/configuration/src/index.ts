export { withoutEmpty, type Environment } from "./environment.ts";
export { addSettingsOfFile, readEnvironment, readSettingNames } from "./env-file.ts";
export { ConfigError, StartError, UsageError } from "./errors.ts";
export {
  demoAccount,
  homeFiles,
  restoringPrefix,
  homeVariables,
  localInstallation,
  type DemoAccount,
  type LocalInstallation,
} from "./home.ts";
export { openSetting } from "./open-setting.ts";
export { parseConfig } from "./parse-config.ts";
export { isRedisUrl, readRedisAddress, type RedisAddress } from "./redis-address.ts";
export {
  keyPeppers,
  verifyUrl,
  modelVariables,
  ownCertificates,
  queueUrlOf,
  serviceVariables,
  signerVariables,
  watermarkSecrets,
  telemetryVariables,
  variable,
} from "./variables.ts";
