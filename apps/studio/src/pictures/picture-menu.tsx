import type { ImageSource, Job } from "@atelier/schemas";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState, type ReactNode } from "react";
import { useLocation } from "wouter";
import { useCanCollect } from "../data/collections.ts";
import { modelsQuery, queryClient } from "../data/queries.ts";
import { useCanShare } from "../data/shares.ts";
import { formatBytes } from "../format.ts";
import { changes, type Change } from "../pages/create/changes.ts";
import type { DraftReference } from "../pages/create/draft.ts";
import { fileName } from "../pages/library/file-name.ts";
import { mayChange } from "../session.ts";
import { texts } from "../texts/pictures.ts";
import { loadLater } from "../ui/load-later.ts";
import { Menu, MenuFile, MenuItem } from "../ui/menu.tsx";
import { showToast } from "../ui/toast.tsx";
import type { ComparedImage } from "./compare.tsx";
import { deleteImages } from "./delete-images.ts";
import type { ResultImage } from "./images-of.ts";
import { selectPicture, useSelectedPicture } from "./selected-picture.ts";
import { ShareDialog } from "./share-button.tsx";
import { isKeptForever, keptQuery, useKeeping } from "./use-keeping.ts";
import { useStar } from "./use-noting.ts";

const Compare = loadLater(async () => (await import("./compare.tsx")).default);
const ConfirmDialog = loadLater(
  async () => (await import("../ui/dialogs/confirm-dialog.tsx")).ConfirmDialog,
);
const StyleSaveDialog = loadLater(async () => (await import("./style-save-dialog.tsx")).default);
const CollectionDialog = loadLater(async () => (await import("./collection-dialog.tsx")).default);

/** The use of a picture in the form of Create. */
export interface PictureUse {
  readonly refer: (reference: DraftReference) => void;
  readonly change: (operation: Change, image: ImageSource) => void;
}

interface PictureProps {
  readonly job: Pick<
    Job,
    "completed_at" | "id" | "keep" | "key" | "mode" | "operation" | "starred"
  >;
  /** An image whose files exist. */
  readonly image: ResultImage;
  /** Describes the image, also as a reference. */
  readonly title: string;
  /** The page that also shows the image. */
  readonly openIn: "create" | "library";
  readonly use: PictureUse;
  /** The collection that the page shows, from which the job can be removed. */
  readonly collection?: { readonly name: string; readonly onRemove: () => void } | undefined;
  /** Takes over a changed job. */
  readonly onJob: (job: Job) => void;
}

/** The actions on a picture, the same on every page. */
export function PictureMenu(
  props: PictureProps & {
    /** Whether the button has a visible name. */
    readonly isNamed?: boolean;
    readonly className?: string | undefined;
    readonly tabIndex?: number;
  },
) {
  const { isNamed = false, className, tabIndex, ...picture } = props;
  const { actions, actionsFor } = texts.pictures;
  const keep = useKeeping(picture.job, picture.onJob);
  const [compared, setCompared] = useState<{ readonly with: ComparedImage | null } | null>(null);
  const [isCollecting, setCollecting] = useState(false);
  const [isStyling, setStyling] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const [isSharing, setSharing] = useState(false);
  const star = useStar(picture.job, picture.onJob);
  const shown = comparedOf(picture);
  return (
    <>
      <Menu
        name={isNamed ? actions : actionsFor(picture.title)}
        {...{ isNamed, className, tabIndex }}
      >
        {() => (
          <Items
            {...picture}
            onKeep={keep}
            onStar={star.toggle}
            onCollect={() => setCollecting(true)}
            onDelete={() => setDeleting(true)}
            onStyle={() => setStyling(true)}
            onShare={() => setSharing(true)}
            onCompare={(other) => setCompared({ with: other })}
          />
        )}
      </Menu>
      {compared !== null && (
        <OverList>
          <Compare image={shown} with={compared.with} onClose={() => setCompared(null)} />
        </OverList>
      )}
      {isCollecting && (
        <OverList>
          <CollectionDialog jobIds={[picture.job.id]} onClose={() => setCollecting(false)} />
        </OverList>
      )}
      {isStyling && (
        <OverList>
          <StyleSaveDialog
            jobId={picture.job.id}
            image={picture.image}
            words={picture.title}
            onClose={() => setStyling(false)}
          />
        </OverList>
      )}
      {isSharing && (
        <OverList>
          <ShareDialog
            job={picture.job}
            image={picture.image.index}
            onClose={() => setSharing(false)}
          />
        </OverList>
      )}
      {isDeleting && (
        <OverList>
          <ConfirmDialog
            title={texts.pictures.deleteTitle}
            action={texts.pictures.delete}
            onConfirm={async () => {
              picture.onJob(await deleteImages(picture.job.id));
              void queryClient.invalidateQueries(keptQuery);
            }}
            onClose={() => setDeleting(false)}
          >
            <p>{texts.pictures.deleteHint}</p>
          </ConfirmDialog>
        </OverList>
      )}
    </>
  );
}

/** A dialog over a list, which would move with the arrow keys. */
function OverList({ children }: { readonly children: ReactNode }) {
  return (
    <span onKeyDown={(event) => event.stopPropagation()}>
      <Suspense fallback={null}>{children}</Suspense>
    </span>
  );
}

/** Of a title or a name in a menu or on a button, in characters. */
export const longestTitle = 24;

const icons = {
  edit: "brush",
  upscale: "zoom",
  "remove-background": "image",
  outpaint: "plus",
  erase: "minus",
  vectorize: "pencil",
  variations: "repeat",
} as const;

function comparedOf({ job, image, title }: PictureProps): ComparedImage {
  return { jobId: job.id, index: image.index, title };
}

function Items(
  props: PictureProps & {
    readonly onKeep: () => void;
    readonly onStar: () => void;
    readonly onCollect: () => void;
    readonly onDelete: () => void;
    readonly onStyle: () => void;
    readonly onShare: () => void;
    /** Receives null for the original. */
    readonly onCompare: (other: ComparedImage | null) => void;
  },
) {
  const { job, image, title, openIn, use, collection, onKeep, onStar, onCollect } = props;
  const { data: models = [] } = useQuery(modelsQuery);
  const canShare = useCanShare(job);
  const isOwn = mayChange(job);
  const canCollect = useCanCollect();
  const [, navigate] = useLocation();
  const source = { job_id: job.id, image: image.index };
  const addresses = {
    create: `/?job=${job.id}${image.index === 0 ? "" : `&image=${image.index}`}`,
    library: `/library?job=${job.id}`,
  };
  const { changes: names, download, openIn: openNames, keep, release, refer } = texts.pictures;
  const { collections, star, unstar } = texts.pictures;
  const offered = (Object.keys(names) as (keyof typeof names)[]).filter((operation) =>
    models.some(({ operations }) => operations.includes(operation)),
  );
  return (
    <>
      <MenuItem icon="forward" onSelect={() => navigate(addresses[openIn])}>
        {openNames[openIn]}
      </MenuItem>
      {Object.values(image.formats).map(({ format, url, size_bytes: bytes }) => (
        <MenuFile
          key={format}
          url={url}
          fileName={fileName(title, {
            jobId: job.id,
            position: image.index + 1,
            extension: format,
          })}
        >
          {download(format.toUpperCase())} <small className="num">{formatBytes(bytes)}</small>
        </MenuFile>
      ))}
      {models.some(({ supports_references: can }) => can) && (
        <MenuItem
          icon="plus"
          onSelect={() => use.refer({ source, description: title.slice(0, 200) })}
        >
          {refer}
        </MenuItem>
      )}
      {offered.map((operation) => (
        <MenuItem
          key={operation}
          icon={icons[operation]}
          onSelect={() => use.change(operation, source)}
        >
          {names[operation]}
        </MenuItem>
      ))}
      <CompareItems {...props} />
      <MenuItem icon="search" onSelect={() => navigate(`/library?similar_to=${image.hash}`)}>
        {texts.pictures.similar}
      </MenuItem>
      {isOwn && (
        <>
          <MenuItem icon={isKeptForever(job) ? "minus" : "check"} onSelect={onKeep}>
            {isKeptForever(job) ? release : keep}
          </MenuItem>
          <MenuItem icon="star" onSelect={onStar}>
            {job.starred ? unstar : star}
          </MenuItem>
        </>
      )}
      {canCollect && (
        <MenuItem icon="folder" onSelect={onCollect}>
          {collections.add}
        </MenuItem>
      )}
      {collection !== undefined && (
        <MenuItem icon="minus" onSelect={collection.onRemove}>
          {collections.remove(collection.name.slice(0, longestTitle))}
        </MenuItem>
      )}
      <MenuItem icon="brush" onSelect={props.onStyle}>
        {texts.pictures.saveStyle}
      </MenuItem>
      {canShare && (
        <MenuItem icon="link" onSelect={props.onShare}>
          {texts.pictures.share}
        </MenuItem>
      )}
      {isOwn && (
        <MenuItem icon="trash" onSelect={props.onDelete}>
          {texts.pictures.delete}
        </MenuItem>
      )}
    </>
  );
}

/** Compares with the image before a change, and with a picture that was selected in another menu. */
function CompareItems(
  props: PictureProps & { readonly onCompare: (other: ComparedImage | null) => void },
) {
  const { job, onCompare } = props;
  const own = comparedOf(props);
  const selected = useSelectedPicture();
  const isOther =
    selected !== null && (selected.jobId !== own.jobId || selected.index !== own.index);
  const { compareOriginal, compareSelect, compareSelected, compareWith } = texts.pictures;
  return (
    <>
      {changes.some((one) => one === job.operation) && (
        <MenuItem icon="compare" onSelect={() => onCompare(null)}>
          {compareOriginal}
        </MenuItem>
      )}
      {isOther ? (
        <MenuItem
          icon="gallery"
          onSelect={() => {
            onCompare(selected);
            selectPicture(null);
          }}
        >
          {compareWith(selected.title.slice(0, longestTitle))}
        </MenuItem>
      ) : (
        <MenuItem
          icon="gallery"
          onSelect={() => {
            selectPicture(own);
            showToast(compareSelected);
          }}
        >
          {compareSelect}
        </MenuItem>
      )}
    </>
  );
}
