import { formatRetention } from "../../format-retention.ts";
import { formatTime } from "../../format.ts";
import { locale } from "../../language.ts";
import { texts } from "../../texts/account.ts";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";

/** The images that a shorter retention deletes earlier, as the service counts them. */
export interface RetentionPreview {
  readonly retention_hours: number;
  /** Images that are older than that. */
  readonly deleted_at_once: number;
  /** Younger images, which are deleted between two times. */
  readonly deleted_earlier: number;
  readonly first_deleted_at: string | null;
  readonly last_deleted_at: string | null;
  /** Whether there are more images than were counted. */
  readonly has_more: boolean;
}

/** Asks before a shorter retention, which deletes images that exist. */
export function ShorteningDialog(props: {
  readonly preview: RetentionPreview;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const { preview, onConfirm, onClose } = props;
  const { deleted_at_once: atOnce, deleted_earlier: earlier, has_more: isAtLeast } = preview;
  const time = formatRetention(preview.retention_hours, locale);
  const [first, last] = [preview.first_deleted_at, preview.last_deleted_at].map((at) =>
    formatTime(at ?? new Date().toISOString()),
  );
  return (
    <ConfirmDialog
      title={texts.account.shortenTitle(time)}
      action={texts.account.shorten(time)}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {atOnce > 0 && <p>{texts.account.shortenAtOnce(atOnce, isAtLeast, time)}</p>}
      {earlier > 0 && (
        <p>{texts.account.shortenLater(earlier, isAtLeast, first ?? "", last ?? "")}</p>
      )}
      <p>{texts.account.shortenHint}</p>
    </ConfirmDialog>
  );
}
