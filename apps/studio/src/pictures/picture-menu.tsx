import type { ImageSource, Job } from "@atelier/schemas";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { modelsQuery } from "../data/queries.ts";
import { formatBytes } from "../format.ts";
import type { Change } from "../pages/create/changes.ts";
import type { DraftReference } from "../pages/create/draft.ts";
import type { ResultImage } from "../pages/create/images-of.ts";
import { fileName } from "../pages/library/file-name.ts";
import { texts } from "../texts/pictures.ts";
import { Menu, MenuFile, MenuItem } from "../ui/menu.tsx";
import { isKeptForever, useKeeping } from "./use-keeping.ts";

/** The use of a picture in the form of Create. */
export interface PictureUse {
  readonly refer: (reference: DraftReference) => void;
  readonly change: (operation: Change, image: ImageSource) => void;
}

interface PictureProps {
  readonly job: Pick<Job, "id" | "keep">;
  /** An image whose files exist. */
  readonly image: ResultImage;
  /** Describes the image, also as a reference. */
  readonly title: string;
  /** The page that also shows the image. */
  readonly openIn: "create" | "library";
  readonly use: PictureUse;
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
  return (
    <Menu
      name={isNamed ? actions : actionsFor(picture.title)}
      {...{ isNamed, className, tabIndex }}
    >
      {() => <Items {...picture} onKeep={keep} />}
    </Menu>
  );
}

const icons = { edit: "brush", upscale: "zoom", "remove-background": "image" } as const;

function Items(props: PictureProps & { readonly onKeep: () => void }) {
  const { job, image, title, openIn, use, onKeep } = props;
  const { data: models = [] } = useQuery(modelsQuery);
  const [, navigate] = useLocation();
  const source = { job_id: job.id, image: image.index };
  const addresses = {
    create: `/?job=${job.id}${image.index === 0 ? "" : `&image=${image.index}`}`,
    library: `/library?job=${job.id}`,
  };
  const { changes, download, openIn: openNames, keep, release, refer } = texts.pictures;
  const offered = (Object.keys(changes) as (keyof typeof changes)[]).filter((operation) =>
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
          {changes[operation]}
        </MenuItem>
      ))}
      <MenuItem icon={isKeptForever(job) ? "minus" : "check"} onSelect={onKeep}>
        {isKeptForever(job) ? release : keep}
      </MenuItem>
    </>
  );
}
