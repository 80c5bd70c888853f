import { lazy, Suspense, useState } from "react";
import { texts } from "../../texts.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import type { DraftRequest } from "./draft.ts";

const CodeDialog = lazy(() => import("./code-dialog.tsx"));

/** A button that shows the request of the form as a program sends it. */
export function CodeButton({ request }: { readonly request: DraftRequest }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="ghost" onClick={() => setOpen(true)}>
        <Icon name="code" size={16} /> {texts.create.code}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <CodeDialog request={request} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
