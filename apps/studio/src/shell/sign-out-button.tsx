import { messageOf } from "../api.ts";
import { leave } from "../session.ts";
import { texts } from "../texts.ts";
import { Icon } from "../ui/icons.tsx";
import { showToast } from "../ui/toast.tsx";

/** Signs this browser out. */
export function SignOutButton(props: {
  readonly className: string | undefined;
  /** Whether the name is visible or only read out. */
  readonly isNamed?: boolean;
}) {
  const { className, isNamed = false } = props;
  const { signOut } = texts.shell;
  return (
    <button
      type="button"
      className={className}
      onClick={() => void leave().catch((error: unknown) => showToast(messageOf(error)))}
      {...(isNamed ? {} : { "aria-label": signOut, title: signOut })}
    >
      <Icon name="out" />
      {isNamed && signOut}
    </button>
  );
}
