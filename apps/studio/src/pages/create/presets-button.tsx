import { Suspense, useState } from "react";
import { texts } from "../../texts.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { loadLater } from "../../ui/load-later.ts";
import type { DraftChange, DraftRequest } from "./draft.ts";

const PresetsDialog = loadLater(async () => (await import("./presets-dialog.tsx")).default);

/** A button that shows the presets of the account. */
export function PresetsButton(props: {
  readonly request: DraftRequest;
  readonly onChange: DraftChange;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="ghost" onClick={() => setOpen(true)}>
        <Icon name="file" size={16} /> {texts.create.presets}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <PresetsDialog {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
