import { ConfigError } from "@atelier/configuration";
import {
  createGuardClassifier,
  createOpenAiClassifier,
  createRemoteModel,
  createRemoteModerator,
  createRuleModerator,
  isMisconfigured,
  loadReadyGuard,
  readModerationFile,
  type CircuitState,
  type Classifier,
  type GuardDescription,
  type ModerationFile,
  type Moderator,
  type Post,
  type RemoteModerator,
} from "@atelier/moderation";
import type { Logger, WorkerMetrics } from "@atelier/telemetry";
import type { WorkerConfig } from "./config.ts";

export interface Moderation {
  readonly moderator: Moderator;
  /** Judges generated images; null when image moderation is off. */
  readonly imageModerator: RemoteModerator | null;
  /** The remote model; null when the rules judge alone. */
  readonly remoteModeration: RemoteModeration | null;
}

/** The connection to the remote model. */
export interface RemoteModeration {
  /** Counts requests from now on, and probes the model in the background. */
  start(metrics: Pick<WorkerMetrics, "moderationRequested" | "watchModeration">): void;
  state(): ModerationState;
  /** Stops probing. */
  close(): void;
}

interface ModerationState {
  readonly kind: "ok" | "unavailable" | "misconfigured";
  /** What the operator should know; `ok` when nothing. */
  readonly advice: string;
  /** Whether images are generated in this state. */
  readonly canGenerate: boolean;
}

const openAi = { url: "https://api.openai.com/v1", model: "omni-moderation-latest" };

/**
 * Creates the moderation of the configuration: the rules, and the remote model when one is configured.
 * Sends nothing.
 *
 * @throws ConfigError when settings contradict each other.
 */
export function createModeration(config: WorkerConfig, logger: Logger): Moderation {
  const { MODERATION: kind, MODERATE_IMAGES: seesImages } = config;
  if (kind === "rules") {
    if (seesImages) throw new ConfigError("MODERATE_IMAGES: the rules judge only texts");
    return { moderator: createRuleModerator(), imageModerator: null, remoteModeration: null };
  }
  const { create, baseUrl, apiKey } = describeRemote(kind, config);

  let metrics: Pick<WorkerMetrics, "moderationRequested"> | null = null;
  const model = createRemoteModel(create, {
    baseUrl,
    apiKey,
    timeoutMs: config.MODERATION_TIMEOUT_SECONDS * 1_000,
    onRequest: (outcome, durationMs) => metrics?.moderationRequested(outcome, durationMs),
    onChange: (circuit) => logChange(describeState(circuit, config), logger),
  });
  if (seesImages && model.classifier.judgeImage === null) {
    throw new ConfigError(`MODERATE_IMAGES: ${kind} judges only texts`);
  }
  const moderator = createRemoteModerator({
    rules: createRuleModerator(),
    classifier: model.classifier,
    whenDown: config.MODERATION_WHEN_DOWN,
    onDown: (error) => logger.warn({ reason: error.message }, "remote moderation does not respond"),
  });
  const remoteModeration: RemoteModeration = {
    start(observer) {
      metrics = observer;
      observer.watchModeration(() => ({
        isOpen: model.state().isOpen,
        isMisconfigured: isMisconfigured(model.state()),
      }));
      void model.probe();
    },
    state: () => describeState(model.state(), config),
    close: model.close,
  };
  return { moderator, imageModerator: seesImages ? moderator : null, remoteModeration };
}

type RemoteKind = Exclude<WorkerConfig["MODERATION"], "rules">;

interface Remote {
  readonly create: (post: Post) => Classifier;
  readonly baseUrl: string;
  readonly apiKey: string | null;
}

function describeRemote(kind: RemoteKind, config: WorkerConfig): Remote {
  const { MODERATION_URL: url, MODERATION_MODEL: model, MODERATION_API_KEY: key } = config;
  const settings = readSettings(kind, config.MODERATION_SETTINGS_FILE);
  if (kind === "openai") {
    const apiKey = key ?? (url === undefined ? config.OPENAI_API_KEY : undefined) ?? null;
    const baseUrl = url ?? openAi.url;
    if (apiKey === null && baseUrl === openAi.url) {
      throw new ConfigError("MODERATION_API_KEY: is required, or OPENAI_API_KEY");
    }
    const { thresholds } = settings;
    const create = (post: Post) => createOpenAiClassifier(model ?? openAi.model, post, thresholds);
    return { create, baseUrl, apiKey };
  }
  const baseUrl = required("MODERATION_URL", url);
  const name = required("MODERATION_MODEL", model);
  const description = describeGuard(kind, settings);
  return {
    create: (post) => createGuardClassifier(name, description, post),
    baseUrl,
    apiKey: key ?? null,
  };
}

/** The file's settings. A part that the moderator does not read is a mistake of the operator. */
function readSettings(kind: RemoteKind, file: string | undefined): ModerationFile {
  const isGuard = kind === "guard";
  const wanted = isGuard ? "guard" : kind === "openai" ? "thresholds" : "labels";
  if (file === undefined) {
    if (!isGuard) return {};
    throw new ConfigError(
      "MODERATION_SETTINGS_FILE: is required for MODERATION=guard. It describes the model",
    );
  }
  const settings = readFile(file);
  if (settings[wanted] === undefined) {
    throw new ConfigError(
      `MODERATION_SETTINGS_FILE: ${file} has no "${wanted}", which ${kind} needs`,
    );
  }
  const unread = Object.keys(settings).filter((part) => part !== wanted);
  if (unread.length === 0) return settings;
  throw new ConfigError(
    `MODERATION_SETTINGS_FILE: ${kind} does not use "${unread.join('", "')}". Remove it`,
  );
}

function readFile(file: string): ModerationFile {
  try {
    return readModerationFile(file);
  } catch (error) {
    throw new ConfigError(`MODERATION_SETTINGS_FILE: ${(error as Error).message}`);
  }
}

function describeGuard(
  kind: Exclude<RemoteKind, "openai">,
  { guard, labels }: ModerationFile,
): GuardDescription {
  if (kind === "guard") return required("MODERATION_SETTINGS_FILE", guard);
  const description = loadReadyGuard(kind);
  if (labels === undefined) return description;
  if (description.labels !== undefined) {
    return { ...description, labels: { ...description.labels, ...labels } };
  }
  throw new ConfigError(
    `MODERATION_SETTINGS_FILE: ${kind} has policies and no labels. Describe it as MODERATION=guard to change them`,
  );
}

function describeState(circuit: CircuitState, config: WorkerConfig): ModerationState {
  const { problem } = circuit;
  if (problem === null) return { kind: "ok", advice: "ok", canGenerate: true };
  const canGenerate = config.MODERATION_WHEN_DOWN === "allow";
  if (!isMisconfigured(circuit)) {
    const advice = `unavailable: ${problem.message}`;
    return { kind: "unavailable", advice, canGenerate };
  }
  const { reason, status, message } = problem;
  const isKeyRefused = status === 401 || status === 403;
  const setting =
    reason !== "misconfigured"
      ? "MODERATION, MODERATION_MODEL"
      : isKeyRefused
        ? config.MODERATION_API_KEY === undefined && config.MODERATION === "openai"
          ? "OPENAI_API_KEY"
          : "MODERATION_API_KEY"
        : "MODERATION_URL, MODERATION_MODEL";
  const fault = isKeyRefused ? "refuses the key" : "does not judge a harmless text";
  const advice = `${setting}: the remote model ${fault} (${message}). Correct the setting and restart the workers.`;
  return { kind: "misconfigured", advice, canGenerate };
}

function logChange({ kind, advice }: ModerationState, logger: Logger): void {
  if (kind === "ok") logger.info("remote moderation responds");
  else if (kind === "unavailable") logger.warn({ reason: advice }, "remote moderation fails");
  else logger.error({ reason: advice }, "remote moderation is misconfigured");
}

function required<Value>(name: string, value: Value | undefined): Value {
  if (value !== undefined) return value;
  throw new ConfigError(`${name}: is required for a guard model`);
}
