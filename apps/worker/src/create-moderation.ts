import { ConfigError } from "@atelier/configuration";
import {
  createRemoteModel,
  createRemoteModerator,
  createRuleModerator,
  isMisconfigured,
  type CircuitState,
  type Moderator,
  type RemoteModerator,
} from "@atelier/moderation";
import type { Logger, WorkerMetrics } from "@atelier/telemetry";
import type { WorkerConfig } from "./config.ts";
import { describeRemote, type Remote } from "./describe-remote.ts";

export interface Moderation {
  readonly moderator: Moderator;
  /** Judges generated images; null when image moderation is off. */
  readonly imageModerator: RemoteModerator | null;
  /** The remote model; null when the rules judge alone. */
  readonly remoteModeration: RemoteModeration | null;
}

/** The connection to the remote model. */
interface RemoteModeration {
  /** Counts requests from now on, and probes the model in the background. */
  start(metrics: Pick<WorkerMetrics, "moderationRequested" | "watchModeration">): void;
  state(): ModerationState;
  /** Stops probing. */
  close(): void;
}

interface ModerationState {
  readonly kind: "ok" | "unavailable" | "misconfigured";
  /** The problem for the operator to solve; `ok` without one. */
  readonly advice: string;
  /** Whether images are generated in this state. */
  readonly canGenerate: boolean;
}

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
  const remote = describeRemote(kind, config);

  const canGenerate = config.MODERATION_WHEN_DOWN === "allow";
  let metrics: Pick<WorkerMetrics, "moderationRequested"> | null = null;
  const model = createRemoteModel(remote.create, {
    baseUrl: remote.baseUrl,
    authenticate: remote.authenticate,
    timeoutMs: config.MODERATION_TIMEOUT_SECONDS * 1_000,
    onRequest: (outcome, durationMs) => metrics?.moderationRequested(outcome, durationMs),
    onChange: (circuit) => logChange(describeState(circuit, remote, canGenerate), logger),
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
    state: () => describeState(model.state(), remote, canGenerate),
    close: model.close,
  };
  return { moderator, imageModerator: seesImages ? moderator : null, remoteModeration };
}

/**
 * @param remote.settings the settings to correct.
 * @param canGenerate whether images are generated without the remote model.
 */
function describeState(
  circuit: CircuitState,
  { settings }: Pick<Remote, "settings">,
  canGenerate: boolean,
): ModerationState {
  const { problem } = circuit;
  if (problem === null) return { kind: "ok", advice: "ok", canGenerate: true };
  if (!isMisconfigured(circuit)) {
    const advice = `unavailable: ${problem.message}`;
    return { kind: "unavailable", advice, canGenerate };
  }
  const { reason, status, message } = problem;
  const isKeyRefused = status === 401 || status === 403;
  const setting = isKeyRefused ? settings.key : settings.address;
  const fault = isKeyRefused ? "refuses the key" : "does not judge a harmless text";
  const advice = `${setting}: the remote model ${fault} (${message}). Correct the setting and restart the workers.`;
  // The rules decide alone only while the server fails, not when it does not judge a text.
  return {
    kind: "misconfigured",
    advice,
    canGenerate: canGenerate && reason === "misconfigured",
  };
}

function logChange({ kind, advice }: ModerationState, logger: Logger): void {
  if (kind === "ok") logger.info("remote moderation responds");
  else if (kind === "unavailable") logger.warn({ reason: advice }, "remote moderation fails");
  else logger.error({ reason: advice }, "remote moderation is misconfigured");
}
