import {
  useEffect,
  useId,
  useRef,
  useState,
  type ComponentProps,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icons.tsx";
import styles from "./menu.module.css";

/** Between the button and its menu, and between the menu and the edge of the window, in pixels. */
const gap = 4;

/** A button that opens a menu of actions. Escape, Tab and a click outside close it. */
export function Menu(
  props: {
    /** Label of the button. */
    readonly name: string;
    /** Whether the name is visible or only read out. */
    readonly isNamed?: boolean;
    readonly icon?: IconName;
    readonly isDisabled?: boolean;
    /** Renders the items; called only while the menu is open. */
    readonly children: () => ReactNode;
  } & Pick<ComponentProps<"button">, "className" | "tabIndex">,
) {
  const { name, isNamed = false, icon = "more", children, className, tabIndex } = props;
  const [place, setPlace] = useState<CSSProperties | null>(null);
  const area = useRef<HTMLSpanElement>(null);
  const id = useId();
  const buttonOf = () => area.current?.querySelector("button");
  function open(): void {
    const box = buttonOf()?.getBoundingClientRect();
    setPlace(box === undefined ? null : placeBeside(box));
  }
  function close(): void {
    setPlace(null);
    buttonOf()?.focus();
  }
  const latestOpen = useRef(open);
  latestOpen.current = open;
  const isOpen = place !== null;
  useEffect(() => {
    if (!isOpen) return undefined;
    itemsOf(area.current)[0]?.focus({ preventScroll: true });
    const closing = new AbortController();
    const { signal } = closing;
    function closeOutside({ target }: Event): void {
      if (!(target instanceof Node) || area.current?.contains(target) !== true) setPlace(null);
    }
    addEventListener("pointerdown", closeOutside, { signal, capture: true });
    // The menu stays at its button.
    const move = () => latestOpen.current();
    addEventListener("scroll", move, { signal, capture: true });
    addEventListener("resize", move, { signal });
    return () => closing.abort();
  }, [isOpen]);
  function onKeyDown(event: KeyboardEvent): void {
    // What is behind the menu must not react: a dialog, or a list that the arrow keys move in.
    event.stopPropagation();
    if (event.key === "Tab") return setPlace(null);
    const items = itemsOf(area.current);
    const at = items.findIndex((item) => item === document.activeElement);
    const next = nextOf(event.key, at, items.length);
    if (event.key !== "Escape" && next === null) return;
    event.preventDefault();
    if (next === null) close();
    else items[next]?.focus();
  }
  return (
    <span ref={area} className={styles.area}>
      <Button
        look={isNamed ? "plain" : "ghost"}
        className={className}
        tabIndex={tabIndex}
        disabled={props.isDisabled}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={isNamed ? undefined : name}
        title={isNamed ? undefined : name}
        onClick={() => (isOpen ? setPlace(null) : open())}
      >
        <Icon name={icon} size={16} />
        {isNamed && name}
      </Button>
      {isOpen && (
        <div
          id={id}
          role="menu"
          tabIndex={-1}
          aria-label={name}
          className={styles.menu}
          style={place}
          onKeyDown={onKeyDown}
          onClick={close}
        >
          {children()}
        </div>
      )}
    </span>
  );
}

/** An action of a menu. */
export function MenuItem(props: {
  readonly icon: IconName;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}) {
  return (
    <button type="button" role="menuitem" tabIndex={-1} onClick={props.onSelect}>
      <Icon name={props.icon} size={16} />
      {props.children}
    </button>
  );
}

/** A file that a menu offers. */
export function MenuFile(props: {
  readonly url: string;
  readonly fileName: string;
  readonly children: ReactNode;
}) {
  return (
    // A browser opens files of another origin instead of saving them.
    <a
      role="menuitem"
      tabIndex={-1}
      href={props.url}
      download={props.fileName}
      target="_blank"
      rel="noreferrer"
    >
      <Icon name="download" size={16} />
      {props.children}
    </a>
  );
}

function itemsOf(area: HTMLElement | null): readonly HTMLElement[] {
  return [...(area?.querySelectorAll<HTMLElement>("[role='menuitem']") ?? [])];
}

/** The item that a key leads to; null for other keys. */
function nextOf(key: string, at: number, count: number): number | null {
  switch (key) {
    case "ArrowDown":
      return (at + 1) % count;
    case "ArrowUp":
      return (at - 1 + count) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}

/** The side of the button on which there is more room, in the coordinates of the window. */
function placeBeside({ top, bottom, left, right }: DOMRect): CSSProperties {
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  const isBelow = height - bottom >= top;
  return {
    ...(isBelow ? { top: bottom + gap } : { bottom: height - top + gap }),
    ...(left + right < width ? { left } : { right: width - right }),
    maxHeight: (isBelow ? height - bottom : top) - 2 * gap,
  };
}
