import { randomUUID } from "node:crypto";
import { ConfigError } from "@atelier/configuration";
import { signDelivery } from "@atelier/events";
import {
  bearer,
  createGuardClassifier,
  createOpenAiClassifier,
  createWebhookClassifier,
  loadReadyGuard,
  readModerationFile,
  type Classifier,
  type GuardDescription,
  type ModerationFile,
  type Post,
  type RemoteOptions,
} from "@atelier/moderation";
import type { WorkerConfig } from "./config.ts";

type RemoteKind = Exclude<WorkerConfig["MODERATION"], "rules">;

/** The remote model of the configuration. */
export interface Remote extends Pick<RemoteOptions, "baseUrl" | "authenticate"> {
  readonly create: (post: Post) => Classifier;
  /** Names of the settings to correct when the model refuses the key, or does not judge. */
  readonly settings: { readonly key: string; readonly address: string };
}

const openAi = { url: "https://api.openai.com/v1", model: "omni-moderation-latest" };

/**
 * Chooses the remote model of the configuration.
 *
 * @throws ConfigError when a setting is missing, or the file of settings is not valid.
 */
export function describeRemote(kind: RemoteKind, config: WorkerConfig): Remote {
  const { MODERATION_URL: url, MODERATION_MODEL: model, MODERATION_API_KEY: key } = config;
  const settings = readSettings(kind, config.MODERATION_SETTINGS_FILE);
  if (kind === "openai") {
    const ownKey = url === undefined ? config.OPENAI_API_KEY : undefined;
    const apiKey = key ?? ownKey ?? null;
    const baseUrl = url ?? openAi.url;
    if (apiKey === null && baseUrl === openAi.url) {
      throw new ConfigError("MODERATION_API_KEY: is required, or OPENAI_API_KEY");
    }
    const { thresholds } = settings;
    return {
      create: (post) => createOpenAiClassifier(model ?? openAi.model, post, thresholds),
      baseUrl,
      authenticate: bearer(apiKey),
      settings: {
        key: key === undefined && ownKey !== undefined ? "OPENAI_API_KEY" : "MODERATION_API_KEY",
        address: "MODERATION_URL, MODERATION_MODEL",
      },
    };
  }
  const baseUrl = required("MODERATION_URL", url, kind);
  if (kind === "webhook") {
    const secret = required("MODERATION_WEBHOOK_SECRET", config.MODERATION_WEBHOOK_SECRET, kind);
    return {
      create: createWebhookClassifier,
      baseUrl,
      authenticate: (body) =>
        signDelivery({ id: randomUUID(), timestamp: nowSeconds(), body }, [secret]),
      settings: { key: "MODERATION_WEBHOOK_SECRET", address: "MODERATION_URL" },
    };
  }
  const name = required("MODERATION_MODEL", model, kind);
  const description = describeGuard(kind, settings);
  return {
    create: (post) => createGuardClassifier(name, description, post),
    baseUrl,
    authenticate: bearer(key ?? null),
    settings: {
      key: "MODERATION_API_KEY",
      address: "MODERATION, MODERATION_URL, MODERATION_MODEL",
    },
  };
}

const nowSeconds = () => Math.floor(Date.now() / 1_000);

/** The file's settings. A part that the moderator does not read is a mistake of the operator. */
function readSettings(kind: RemoteKind, file: string | undefined): ModerationFile {
  const isGuard = kind === "guard";
  if (kind === "webhook" && file !== undefined) {
    throw new ConfigError("MODERATION_SETTINGS_FILE: is not used by MODERATION=webhook. Remove it");
  }
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
  kind: Exclude<RemoteKind, "openai" | "webhook">,
  { guard, labels }: ModerationFile,
): GuardDescription {
  if (kind === "guard") return required("MODERATION_SETTINGS_FILE", guard, kind);
  const description = loadReadyGuard(kind);
  if (labels === undefined) return description;
  if (description.labels !== undefined) {
    return { ...description, labels: { ...description.labels, ...labels } };
  }
  throw new ConfigError(
    `MODERATION_SETTINGS_FILE: ${kind} has policies and no labels. Describe it as MODERATION=guard to change them`,
  );
}

function required<Value>(name: string, value: Value | undefined, kind: RemoteKind): Value {
  if (value !== undefined) return value;
  throw new ConfigError(`${name}: is required for MODERATION=${kind}`);
}
