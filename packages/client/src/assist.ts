import type { Api } from "./api.ts";
import type { CallOptions } from "./options.ts";
import type {
  DraftStoryRequest,
  ImprovePromptRequest,
  PromptSuggestions,
  StoryDraft,
} from "./types.ts";

/**
 * Texts of the service's language model, for a person to see before they are used. Nothing is charged; an
 * account may send a number of such calls a day.
 */
export interface Assist {
  /**
   * Suggests up to three better prompts.
   *
   * @throws NotFoundError `assistant_off` by a service without an assistant.
   *
   * @example
   * ```ts
   * const { suggestions } = await atelier.assist.prompt({ prompt: "a cat on a roof" });
   * for (const { prompt, added } of suggestions) console.log(prompt, added);
   * ```
   */
  prompt(request: ImprovePromptRequest, options?: CallOptions): Promise<PromptSuggestions>;
  /**
   * Drafts a story from an idea, as a request of `generateStory` without its model.
   *
   * @throws NotFoundError `assistant_off` by a service without an assistant.
   *
   * @example
   * ```ts
   * const { story } = await atelier.assist.story({ idea: "A shy fox learns to sing", scenes: 4 });
   * console.log(story.title, story.scenes.map(({ prompt }) => prompt));
   * ```
   */
  story(request: DraftStoryRequest, options?: CallOptions): Promise<StoryDraft>;
}

/** Two answers of the longest time that an operator can set. */
const timeoutMs = 300_000;

export function createAssist({ call }: Api): Assist {
  return {
    prompt: (body, options) =>
      call("POST /v1/assist/prompt", { body, once: true, timeoutMs, ...options }),
    story: (body, options) =>
      call("POST /v1/assist/story", { body, once: true, timeoutMs, ...options }),
  };
}
