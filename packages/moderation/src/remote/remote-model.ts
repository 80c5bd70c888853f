import type { Classifier } from "./classifier.ts";
import {
  createCircuitBreaker,
  type CircuitBreaker,
  type CircuitBreakerOptions,
} from "./circuit-breaker.ts";
import { createPost, type Post, type RemoteOptions } from "./post.ts";

/** A classifier behind a circuit breaker. */
export interface RemoteModel extends Pick<CircuitBreaker, "state" | "probe" | "close"> {
  readonly classifier: Classifier;
}

type RemoteModelOptions = RemoteOptions &
  Pick<CircuitBreakerOptions, "onChange" | "firstPauseMs" | "longestPauseMs">;

const harmless = { path: "prompt", text: "a lighthouse at dusk" };

/**
 * Connects a classifier to its server. Nothing is sent before the first judgement or probe.
 *
 * @param create creates the classifier, which sends its requests with the given function.
 */
export function createRemoteModel(
  create: (post: Post) => Classifier,
  options: RemoteModelOptions,
): RemoteModel {
  const post = createPost(options);
  const { post: protectedPost, ...breaker } = createCircuitBreaker({
    ...options,
    post,
    // A new classifier remembers no verdict, so that the probe is sent.
    probe: (signal) => create(post).judgeTexts([harmless], "normal", signal),
  });
  return { ...breaker, classifier: create(protectedPost) };
}
