import type { Job } from "@atelier/schemas";
import { Suspense, useState } from "react";
import { useCanShare } from "../data/shares.ts";
import { texts } from "../texts/pictures.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icons.tsx";
import { loadLater } from "../ui/load-later.ts";

export const ShareDialog = loadLater(async () => (await import("./share-dialog.tsx")).default);

/** Shares all images of a completed job by a link. Shows nothing where the service has no links. */
export function ShareButton({ job }: { readonly job: Job }) {
  const canShare = useCanShare(job);
  const [isOpen, setOpen] = useState(false);
  if (!canShare) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Icon name="link" size={16} /> {texts.pictures.share}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ShareDialog job={job} image={null} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
