import { Suspense, useState } from "react";
import { useAssistant } from "../../data/use-assistant.ts";
import { texts } from "../../texts.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { loadLater } from "../../ui/load-later.ts";
import type { DraftChange } from "./draft.ts";

const ImproveDialog = loadLater(async () => (await import("./improve-dialog.tsx")).default);

/** The most that the service takes. */
const maxLength = 4_000;

/** A button below the prompt that shows better ones, if the service has an assistant. */
export function ImproveButton(props: { readonly prompt: string; readonly onChange: DraftChange }) {
  const { onChange } = props;
  const prompt = props.prompt.trim();
  const hasAssistant = useAssistant();
  const [isOpen, setOpen] = useState(false);
  if (!hasAssistant) return null;
  const isDisabled = prompt === "" || prompt.length > maxLength;
  return (
    <>
      <Button
        look="ghost"
        aria-disabled={isDisabled}
        onClick={() => {
          if (!isDisabled) setOpen(true);
        }}
      >
        <Icon name="spark" size={16} /> {texts.create.improve}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ImproveDialog {...{ prompt, onChange }} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
