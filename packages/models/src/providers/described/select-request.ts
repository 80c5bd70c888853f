import type { ProviderRequest } from "../../provider.ts";
import { inputImages } from "../describe-references.ts";
import { invalidRequest } from "../http/call-ended.ts";
import { imageNames, usedBy, type DescribedRequest, type Description } from "./description.ts";

/** The parts of a call that decide which request it makes. */
type CallShape = Pick<ProviderRequest, "model" | "references" | "task">;

/** The request of a description that a call makes; null when none fits. */
function findRequest(
  { requests }: Pick<Description, "requests">,
  call: CallShape,
): DescribedRequest | null {
  const { model, task } = call;
  const count = inputImages(call).length;
  const hasImages = count > 0;
  const hasMask = task?.kind === "edit" && task.mask !== null;
  const kind = task?.kind ?? "image";
  const found = requests.find(
    ({ when }) =>
      when.tasks.some((name) => name === kind) &&
      (when.images ?? hasImages) === hasImages &&
      count <= (when.max_images ?? count) &&
      (when.mask ?? hasMask) === hasMask &&
      isForModel(when, model),
  );
  return found ?? null;
}

/**
 * The request of a call, which can express everything that the call asks for.
 *
 * @throws CallEnded `invalid-request`
 */
export function selectRequest(
  described: Pick<Description, "requests">,
  call: ProviderRequest,
): DescribedRequest {
  const { background = "opaque", model, negativePrompt = null, parameters = {} } = call;
  const request = findRequest(described, call);
  const what = call.task?.kind ?? "image";
  if (request === null) throw invalidRequest(`no request is described for ${what} with ${model}`);
  const used = usedBy(request);
  const needed = [
    ...(negativePrompt === null ? [] : ["negative_prompt"]),
    ...(background === "transparent" ? ["background"] : []),
    ...Object.keys(parameters),
  ];
  const missing = needed.find((name) => !used.has(name));
  if (missing !== undefined) throw invalidRequest(`the request for ${model} takes no ${missing}`);
  if (inputImages(call).length > 0 && !imageNames.some((name) => used.has(name))) {
    throw invalidRequest(`the request for ${model} takes no images`);
  }
  if (inputImages(call).length > 1 && !used.has("images") && !used.has("references")) {
    throw invalidRequest(`the request for ${model} takes one image`);
  }
  return request;
}

/** The requests that a model may make. */
export function requestsOf({ requests }: Pick<Description, "requests">, model: string) {
  return requests.filter(({ when }) => isForModel(when, model));
}

function isForModel({ models }: DescribedRequest["when"], model: string): boolean {
  return models === undefined || models.some((pattern) => matchesModel(pattern, model));
}

/** Whether a model id fits a pattern in which `*` stands for any characters. */
function matchesModel(pattern: string, model: string): boolean {
  const [first = "", ...parts] = pattern.split("*");
  if (parts.length === 0) return pattern === model;
  const last = parts.pop() ?? "";
  if (model.length < first.length + last.length) return false;
  if (!model.startsWith(first) || !model.endsWith(last)) return false;
  let rest = model.slice(first.length, model.length - last.length);
  for (const part of parts) {
    const at = rest.indexOf(part);
    if (at < 0) return false;
    rest = rest.slice(at + part.length);
  }
  return true;
}
