import {
  createRuleModerator,
  type ModerationRequest,
  type ModerationVerdict,
} from "@atelier/moderation";

const moderator = createRuleModerator();
const { signal } = new AbortController();

/** Judges texts in a thread of its own. */
export default function judge(request: ModerationRequest): Promise<ModerationVerdict> {
  return moderator.moderate(request, signal);
}
