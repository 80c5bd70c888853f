import type { Job } from "@atelier/schemas";
import { useState } from "react";
import { useLocation } from "wouter";
import { isFinal, queryClient } from "../../data/queries.ts";
import { deleteImages } from "../../pictures/delete-images.ts";
import { KeepButton } from "../../pictures/keep-button.tsx";
import { PictureMenu } from "../../pictures/picture-menu.tsx";
import { useInCreate } from "../../pictures/use-in-create.ts";
import { keptQuery } from "../../pictures/use-keeping.ts";
import { useStar } from "../../pictures/use-noting.ts";
import { mayChange } from "../../session.ts";
import { texts } from "../../texts/library.ts";
import { texts as pictureTexts } from "../../texts/pictures.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { Icon } from "../../ui/icons.tsx";
import { isFormOperation } from "../create/changes.ts";
import { againOf } from "../create/draft.ts";
import { useOpenDraft } from "../create/use-draft.ts";
import { CancelButton } from "./cancel-button.tsx";
import { isKept, titleOf, toListed, type NamedImage } from "./images-of-job.ts";
import { takeOver, useArchive } from "./job-actions.ts";
import styles from "./peek.module.css";
import { RenameDialog } from "./rename-dialog.tsx";

/** Actions on a job. */
export function Actions(props: { readonly job: Job; readonly image: NamedImage | undefined }) {
  const { job, image } = props;
  const [, navigate] = useLocation();
  const archive = useArchive(job);
  const use = useInCreate();
  const star = useStar(job, takeOver);
  const [isRenaming, setRenaming] = useState(false);
  const openDraft = useOpenDraft();
  const isOwn = mayChange(job);
  return (
    <div className={styles.actions}>
      {isOwn && (
        <Button
          className={styles.star}
          aria-pressed={job.starred}
          disabled={star.isPending}
          onClick={star.toggle}
        >
          <Icon name="star" size={16} />
          {job.starred ? texts.library.starred : pictureTexts.pictures.star}
        </Button>
      )}
      {isKept(image) && <KeepButton job={job} className={styles.star} onJob={takeOver} />}
      {isOwn && (
        <Button onClick={() => setRenaming(true)}>
          <Icon name="pencil" size={16} /> {texts.library.rename}
        </Button>
      )}
      {isRenaming && <RenameDialog job={job} onClose={() => setRenaming(false)} />}
      {job.kind === "story" && (
        <Button onClick={() => navigate(`/stories/${job.id}`)}>
          <Icon name="story" size={16} /> {texts.library.toBoard}
        </Button>
      )}
      {isFormOperation(job.operation) && (
        <Button onClick={() => openDraft(againOf(job, image?.seed ?? job.seed ?? undefined))}>
          <Icon name="repeat" size={16} /> {texts.library.again}
        </Button>
      )}
      {isKept(image) && (
        <Button onClick={() => archive.mutate()} disabled={archive.isPending}>
          <Icon name="download" size={16} />
          {archive.isPending ? texts.library.zipping : texts.library.zip}
        </Button>
      )}
      {isOwn && isKept(image) && <DeleteButton job={job} />}
      {image !== undefined && isKept(image) && (
        <PictureMenu
          {...{ job, image, use }}
          isNamed
          title={titleOf(toListed(job))}
          openIn="create"
          onJob={takeOver}
        />
      )}
      {!isFinal(job) && <CancelButton job={job} />}
    </div>
  );
}

function DeleteButton({ job }: { readonly job: Job }) {
  const [isAsking, setAsking] = useState(false);
  const action = texts.library.deleteImages(job.renders_total);
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        <Icon name="trash" size={16} /> {action}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={texts.library.deleteTitle(job.renders_total)}
          action={action}
          onConfirm={async () => {
            takeOver(await deleteImages(job.id));
            void queryClient.invalidateQueries(keptQuery);
          }}
          onClose={() => setAsking(false)}
        >
          <p>{texts.library.deleteHint(job.renders_total)}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
