import {
  AppError,
  chatImageUrl,
  invalidRequest,
  maxPromptLength,
  type ChatMessage,
  type ChatRequest,
  type ImageSource,
} from "@atelier/schemas";
import type { JsonImages } from "./receive-images.ts";

/** The wish of a chat. */
interface ChatWish {
  /** The text of the last user message. */
  readonly prompt: string;
  /** The images of the last user message. */
  readonly references: readonly ImageSource[];
  /** The last readable image of an assistant message, or null. */
  readonly earlier: ImageSource | null;
}

/**
 * Reads the prompt and the images of a chat. System, tool and earlier messages are not used.
 *
 * @throws AppError `invalid_request` for a request that has no text, or an image that cannot be used.
 */
export function readChat(
  { messages }: Pick<ChatRequest, "messages">,
  received: Pick<JsonImages, "has" | "problems">,
): ChatWish {
  const last = messages.findLastIndex(({ role }) => role === "user");
  const message = messages[last];
  if (message === undefined) throw invalid("messages", "must have a message of the role user");
  const prompt = withoutImages(textOf(message)).trim();
  if (prompt === "") {
    throw invalid(`messages.${last}.content`, "must have text that says what the image shows");
  }
  if (prompt.length > maxPromptLength) {
    throw invalid(
      `messages.${last}.content`,
      `must have at most ${maxPromptLength} characters of text`,
    );
  }
  const read = (url: string) => (received.has(url) ? { upload_id: url } : { url });
  const images = imagesOf(message, received);
  for (const { url, path } of images) {
    const unusable = received.problems.get(url);
    if (unusable !== undefined) throw unusable;
    const problem = received.has(url) ? undefined : chatImageUrl.safeParse(url).error;
    if (problem !== undefined) {
      throw invalid(`messages.${last}.${path}`, problem.issues[0]?.message ?? "is not valid");
    }
  }
  const earlier = messages
    .slice(0, last)
    .filter(({ role }) => role === "assistant")
    .flatMap((one) => imagesOf(one, received))
    .findLast(({ url }) => received.has(url) || chatImageUrl.safeParse(url).success);
  return {
    prompt,
    references: images.map(({ url }) => read(url)),
    earlier: earlier === undefined ? null : read(earlier.url),
  };
}

function textOf({ content }: ChatMessage): string {
  if (content === undefined || typeof content === "string") return content ?? "";
  return content.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n");
}

/** An image in a text, whose data was replaced by an id. */
const inText = /data:image\/[\w.+-]{1,40};base64,([0-9a-f-]{36})/gi;
const inMarkdown =
  /!\[[^\][]{0,500}\]\(\s?(data:image\/[\w.+-]{1,40};base64,[0-9a-f-]{36})[^)\n]{0,200}\)/gi;

function withoutImages(text: string): string {
  return text.replace(inMarkdown, "").replace(inText, "");
}

/** The images of a message: those in its text if they can be used, then its parts. */
function imagesOf(message: ChatMessage, received: Pick<JsonImages, "has">) {
  const { content, images = [] } = message;
  const parts = typeof content === "string" ? [] : (content ?? []);
  const found = (part: object, path: string) =>
    "image_url" in part ? [{ url: (part as (typeof images)[number]).image_url.url, path }] : [];
  const named = [...textOf(message).matchAll(inText)].flatMap(([, id = ""]) =>
    received.has(id) ? [{ url: id, path: "content" }] : [],
  );
  return [
    ...named,
    ...parts.flatMap((part, index) => found(part, `content.${index}.image_url.url`)),
    ...images.flatMap((part, index) => found(part, `images.${index}.image_url.url`)),
  ];
}

/**
 * The error for a chat that asks for no image.
 *
 * @param isDefault whether a request without `modalities` asks for one.
 * @returns null for a chat that does.
 */
export function findNoImageProblem(
  { modalities }: Pick<ChatRequest, "modalities">,
  isDefault: boolean,
): AppError | null {
  if (modalities?.some((one) => one.toLowerCase() === "image") ?? isDefault) return null;
  return invalid(
    "modalities",
    'must contain "image": this service makes images and answers no questions. Nothing was charged',
  );
}

function invalid(path: string, message: string): AppError {
  return invalidRequest({ path, code: "invalid_value", message });
}
