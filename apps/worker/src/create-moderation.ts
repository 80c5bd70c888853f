import { ConfigError } from "@atelier/configuration";
import {
  createGuardClassifier,
  createOpenAiClassifier,
  createRemoteModel,
  createRemoteModerator,
  createRuleModerator,
  isMisconfigured,
  type CircuitState,
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
  const isOpenAi = kind === "openai";
  const ownKey =
    isOpenAi && config.MODERATION_URL === undefined ? config.OPENAI_API_KEY : undefined;
  const options = {
    baseUrl: config.MODERATION_URL ?? required("MODERATION_URL", isOpenAi && openAi.url),
    apiKey: config.MODERATION_API_KEY ?? ownKey ?? null,
    timeoutMs: config.MODERATION_TIMEOUT_SECONDS * 1_000,
  };
  if (options.apiKey === null && options.baseUrl === openAi.url) {
    throw new ConfigError("MODERATION_API_KEY: is required, or OPENAI_API_KEY");
  }
  const modelName =
    config.MODERATION_MODEL ?? required("MODERATION_MODEL", isOpenAi && openAi.model);
  const create = (post: Post) =>
    isOpenAi
      ? createOpenAiClassifier(modelName, post)
      : createGuardClassifier(modelName, kind, post);

  let metrics: Pick<WorkerMetrics, "moderationRequested"> | null = null;
  const model = createRemoteModel(create, {
    ...options,
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

function required(name: string, byDefault: string | false): string {
  if (byDefault !== false) return byDefault;
  throw new ConfigError(`${name}: is required for a guard model`);
}
