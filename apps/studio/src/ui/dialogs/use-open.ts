import { useState, type ToggleEvent } from "react";

/**
 * Attributes of a `<details>` that opens when its content must be seen. It does not close again by
 * itself: what the user is working on would disappear.
 */
export function useOpen(mustOpen: boolean): {
  readonly open: boolean;
  readonly onToggle: (event: ToggleEvent<HTMLDetailsElement>) => void;
} {
  const [isOpen, setOpen] = useState(mustOpen);
  const [hadToOpen, setHadToOpen] = useState(mustOpen);
  if (mustOpen !== hadToOpen) {
    setHadToOpen(mustOpen);
    if (mustOpen) setOpen(true);
  }
  return { open: isOpen, onToggle: ({ currentTarget }) => setOpen(currentTarget.open) };
}
