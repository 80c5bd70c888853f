import type { Job } from "@atelier/schemas";
import { mayChange } from "../session.ts";
import { texts } from "../texts/pictures.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icons.tsx";
import { isKeptForever, useKeeping } from "./use-keeping.ts";

/** Keeps the images of a job until they are deleted, or ends that. Shows nothing for jobs that the session may not change. */
export function KeepButton(props: {
  readonly job: Pick<Job, "id" | "keep" | "key">;
  readonly className?: string | undefined;
  readonly onJob: (job: Job) => void;
}) {
  const { job, className, onJob } = props;
  const toggle = useKeeping(job, onJob);
  const isKept = isKeptForever(job);
  if (!mayChange(job)) return null;
  return (
    <Button className={className} aria-pressed={isKept} onClick={toggle}>
      <Icon name="keep" size={16} /> {isKept ? texts.pictures.keptShort : texts.pictures.keep}
    </Button>
  );
}
