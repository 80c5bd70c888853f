import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { formatPercent } from "../../../format.ts";
import { texts } from "../../../texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Picture } from "../../../ui/picture.tsx";
import styles from "./zoom.module.css";

const levels = [1, 1.5, 2, 3, 4];

/** An image as large as the window, and larger. The keys + and - change the size, arrows move it. */
export function Zoom(props: {
  readonly url: string;
  readonly alt: string;
  readonly onExpired: () => void;
  readonly onClose: () => void;
}) {
  const { url, alt, onExpired, onClose } = props;
  const [level, setLevel] = useState(0);
  const view = useRef<HTMLDivElement>(null);
  const change = (by: number) =>
    setLevel((before) => Math.min(Math.max(before + by, 0), levels.length - 1));
  useEffect(() => view.current?.focus(), []);
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === "+" || event.key === "=") change(1);
    if (event.key === "-") change(-1);
  }
  const factor = levels[level] ?? 1;
  return (
    <Dialog title={texts.create.zoomed} onClose={onClose} size="full">
      <div className={styles.zoom}>
        {/* A scrolling area has the focus, so that the arrow keys move it. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <div
          ref={view}
          className={styles.view}
          role="group"
          aria-label={texts.create.zoomView}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          onKeyDown={onKeyDown}
        >
          <Picture
            src={url}
            alt={alt}
            onExpired={onExpired}
            style={{ width: `${factor * 100}%`, height: `${factor * 100}%` }}
          />
        </div>
        <div className={styles.tools}>
          <Button onClick={() => change(-1)} disabled={level === 0}>
            {texts.create.smaller}
          </Button>
          <span className="num">{formatPercent(factor)}</span>
          <Button onClick={() => change(1)} disabled={level === levels.length - 1}>
            {texts.create.larger}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
