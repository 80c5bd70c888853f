import { texts } from "../texts.ts";
import { ConfirmDialog } from "../ui/dialogs/confirm-dialog.tsx";

/** Asks before this browser is signed out although changes could not be saved. */
export function UnsavedDialog(props: {
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const { title, hint, stay, signOut } = texts.shell.unsaved;
  return (
    <ConfirmDialog {...props} title={title} keep={stay} action={signOut}>
      <p>{hint}</p>
    </ConfirmDialog>
  );
}
