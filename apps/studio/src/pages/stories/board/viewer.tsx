import { useEffect, useState } from "react";
import { formatBytes } from "../../../format.ts";
import { texts } from "../../../texts/stories.ts";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { Picture } from "../../../ui/picture.tsx";
import { fileName as fileNameOf } from "../file-name.ts";
import type { StoryImage } from "../story-cards.ts";
import styles from "./viewer.module.css";

/** Images of a story in full size; the arrow keys lead from one to the next. */
export function Viewer(props: {
  readonly images: readonly StoryImage[];
  /** The image that is shown first. */
  readonly openId: string;
  readonly fileName: string;
  /** Whether an image can be made again. */
  readonly canRepeat: (image: StoryImage) => boolean;
  readonly onAgain: (image: StoryImage) => void;
  readonly onExpired: () => void;
  readonly onClose: () => void;
}) {
  const { images, openId, fileName, canRepeat, onAgain, onExpired, onClose } = props;
  const [id, setId] = useState(openId);
  const index = Math.max(
    images.findIndex((one) => one.id === id),
    0,
  );
  const image = images[index];
  function step(by: number): void {
    const next = images[(index + by + images.length) % images.length];
    if (next !== undefined) setId(next.id);
  }
  useEffect(() => {
    function onKeyDown({ key }: KeyboardEvent): void {
      if (key === "ArrowLeft") step(-1);
      if (key === "ArrowRight") step(1);
    }
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  });
  if (image === undefined) return null;
  const { scene, version } = image;
  const files = Object.values(image.formats);
  return (
    <Dialog title={image.name} size="full" onClose={onClose}>
      <div className={styles.viewer}>
        <div className={styles.stage}>
          <button
            type="button"
            className={styles.previous}
            aria-label={texts.stories.previous}
            onClick={() => step(-1)}
          >
            <Icon name="left" size={22} />
          </button>
          {image.url === undefined ? (
            <p>{texts.stories.notKept}</p>
          ) : (
            <Picture key={image.id} src={image.url} alt={image.text} onExpired={onExpired} />
          )}
          <button
            type="button"
            className={styles.next}
            aria-label={texts.stories.next}
            onClick={() => step(1)}
          >
            <Icon name="right" size={22} />
          </button>
        </div>
        <div className={styles.details}>
          <p role="status" className="num">
            {texts.stories.imageOf(index + 1, images.length)}
          </p>
          <p className={styles.words}>{image.text}</p>
          <div className={styles.files}>
            {files.map((file) => (
              <ButtonLink
                key={file.format}
                href={file.url}
                download={`${fileName}-${scene ?? 0}${version > 1 ? `-${version}` : ""}.${file.format}`}
              >
                <Icon name="download" size={16} />
                <span className="sr">{texts.create.download}</span> {file.format.toUpperCase()}{" "}
                <small className="num">{formatBytes(file.size_bytes)}</small>
              </ButtonLink>
            ))}
            {files.length === 0 && image.url !== undefined && (
              <ButtonLink
                href={image.url}
                download={`${fileName}-${fileNameOf(image.name, image.role)}.png`}
              >
                <Icon name="download" size={16} />
                <span className="sr">{texts.create.download}</span> PNG
              </ButtonLink>
            )}
            {canRepeat(image) && (
              <Button onClick={() => onAgain(image)}>
                <Icon name="repeat" size={16} /> {texts.stories.again}
              </Button>
            )}
          </div>
          {image.hash !== undefined && (
            <p className={styles.hash}>
              {texts.create.sha256} <code>{image.hash}</code>
              <CopyButton text={image.hash} name={texts.create.copySha256} />
            </p>
          )}
        </div>
      </div>
    </Dialog>
  );
}
