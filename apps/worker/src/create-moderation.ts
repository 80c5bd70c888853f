import { ConfigError } from "@atelier/configuration";
import {
  createGuardClassifier,
  createOpenAiClassifier,
  createRemoteModel,
  createRemoteModerator,
  createRuleModerator,
  type Moderator,
  type Post,
  type RemoteModerator,
} from "@atelier/moderation";
import type { Logger } from "@atelier/telemetry";
import type { WorkerConfig } from "./config.ts";

export interface Moderation {
  readonly moderator: Moderator;
  /** Judges generated images; null when image moderation is off. */
  readonly imageModerator: RemoteModerator | null;
}

const openAi = { url: "https://api.openai.com/v1", model: "omni-moderation-latest" };

/**
 * Creates the moderation of the configuration: the rules, and the remote model when one is configured.
 *
 * @throws ConfigError when settings contradict each other.
 */
export function createModeration(config: WorkerConfig, logger: Logger): Moderation {
  const { MODERATION: kind, MODERATE_IMAGES: seesImages } = config;
  if (kind === "rules") {
    if (seesImages) throw new ConfigError("MODERATE_IMAGES: the rules judge only texts");
    return { moderator: createRuleModerator(), imageModerator: null };
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
  const model = config.MODERATION_MODEL ?? required("MODERATION_MODEL", isOpenAi && openAi.model);
  const create = (post: Post) =>
    isOpenAi ? createOpenAiClassifier(model, post) : createGuardClassifier(model, kind, post);
  const { classifier } = createRemoteModel(create, {
    ...options,
    onChange({ isOpen, problem }) {
      if (problem === null) logger.info("remote moderation responds");
      else logger.warn({ reason: problem.message, isOpen }, "remote moderation fails");
    },
  });
  if (seesImages && classifier.judgeImage === null) {
    throw new ConfigError(`MODERATE_IMAGES: ${kind} judges only texts`);
  }
  const moderator = createRemoteModerator({
    rules: createRuleModerator(),
    classifier,
    whenDown: config.MODERATION_WHEN_DOWN,
    onDown: (error) => logger.warn({ reason: error.message }, "remote moderation does not respond"),
  });
  return { moderator, imageModerator: seesImages ? moderator : null };
}

function required(name: string, byDefault: string | false): string {
  if (byDefault !== false) return byDefault;
  throw new ConfigError(`${name}: is required for a guard model`);
}
