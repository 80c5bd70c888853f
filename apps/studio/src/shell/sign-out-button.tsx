import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { createPortal } from "react-dom";
import { messageOf } from "../api.ts";
import { leave, saveBeforeLeaving } from "../session.ts";
import { texts } from "../texts.ts";
import { Icon } from "../ui/icons.tsx";
import { showToast } from "../ui/toast.tsx";
import { UnsavedDialog } from "./unsaved-dialog.tsx";

/** Signs this browser out, after changes were saved. If they cannot be saved, it asks first. */
export function SignOutButton(props: {
  readonly className: string | undefined;
  /** Whether the name is visible or only read out. */
  readonly isNamed?: boolean;
}) {
  const { className, isNamed = false } = props;
  const { signOut } = texts.shell;
  const [isAsking, setAsking] = useState(false);
  const leaving = useMutation({
    mutationFn: async () => {
      if (await saveBeforeLeaving()) await leave();
      else setAsking(true);
    },
    onError: (error) => showToast(messageOf(error)),
  });
  return (
    <>
      <button
        type="button"
        className={className}
        disabled={leaving.isPending}
        onClick={() => leaving.mutate()}
        {...(isNamed ? {} : { "aria-label": signOut, title: signOut })}
      >
        <Icon name="out" />
        {isNamed && signOut}
      </button>
      {isAsking &&
        // The button may be in the header of the page, which a dialog with a header must not be in.
        createPortal(
          <UnsavedDialog onConfirm={leave} onClose={() => setAsking(false)} />,
          document.body,
        )}
    </>
  );
}
