import { useStore } from "@nanostores/react";
import { atom } from "nanostores";
import { useEffect, useId, useLayoutEffect, useRef } from "react";
import { messageOf } from "../api.ts";
import { texts } from "../texts.ts";
import { isTyping } from "./input/is-typing.ts";
import styles from "./toast.module.css";

const shortestMs = 5_000;
/** Slow readers need about 90 ms for each character. */
const msPerCharacter = 90;

/** How long a change can be undone, in milliseconds. */
const undoMs = 10_000;

const text = atom("");
/** Undoes the change that the message is about; null for none. */
const undoing = atom<(() => Promise<unknown>) | null>(null);
/** Where messages can appear, the topmost place last. */
const places = atom<readonly string[]>([]);
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Shows a short message at the edge of the page until it can be read; screen readers read it out.
 *
 * @param undo what its button, or Ctrl and Z, does within ten seconds.
 */
export function showToast(message: string, undo: (() => Promise<unknown>) | null = null): void {
  clearTimeout(timer);
  text.set(message);
  undoing.set(undo);
  const readMs = Math.max(shortestMs, message.length * msPerCharacter);
  timer = setTimeout(hideToast, undo === null ? readMs : undoMs);
}

/** Removes the message and what undoes its change. */
export function hideToast(): void {
  clearTimeout(timer);
  text.set("");
  undoing.set(null);
}

function undoNow(): void {
  const undo = undoing.get();
  if (undo === null) return;
  showToast(texts.common.undone);
  undo().catch((error: unknown) => showToast(messageOf(error)));
}

/** Elements that a message avoids; fields weigh less, since they can be read again after it. */
const actions =
  "button, a[href], summary, [role=slider], label:has(input:is([type=radio], [type=checkbox]))";
const fields = "input, select, textarea, [role=application]";
const actionWeight = 100;

/** Between places that are tried, in pixels. */
const step = 12;

/** Weighs places of the message of an area by the elements that it covers there. */
function weigh(area: HTMLElement): (message: DOMRect) => number {
  const page = area.closest("dialog") ?? document;
  const find = (selector: string) =>
    [...page.querySelectorAll(selector)]
      .filter((one) => !area.contains(one))
      .map((one) => one.getBoundingClientRect());
  const [ofActions, ofFields] = [find(actions), find(fields)];
  return (message) => {
    const count = (boxes: readonly DOMRect[]) =>
      boxes.filter((box) => isCovered(box, message)).length;
    return actionWeight * count(ofActions) + count(ofFields);
  };
}

/** Returns the cost of the message of an area at its place. */
function costNow(area: HTMLElement): number {
  return weigh(area)(area.firstElementChild?.getBoundingClientRect() ?? new DOMRect());
}

/** Moves a message beside the navigation of wide screens, or to the lowest place where it covers least. */
function moveAside(area: HTMLElement): void {
  const costOf = weigh(area);
  const boxAt = (place: "side" | "free") => {
    area.dataset["place"] = place;
    return area.firstElementChild?.getBoundingClientRect() ?? new DOMRect();
  };
  area.style.top = "";
  if (matchMedia("(min-width: 861px)").matches && costOf(boxAt("side")) === 0) return;
  const { x, width, height } = boxAt("free");
  let best = { top: step, cost: Number.POSITIVE_INFINITY };
  for (let top = innerHeight - height - step; top >= step; top -= step) {
    const cost = costOf(new DOMRect(x, top, width, height));
    if (cost < best.cost) best = { top, cost };
  }
  area.style.top = `${best.top}px`;
}

function isCovered(box: DOMRect, message: DOMRect): boolean {
  return (
    box.width > 0 &&
    box.left < message.right &&
    box.right > message.left &&
    box.top < message.bottom &&
    box.bottom > message.top
  );
}

/**
 * Where the messages appear. The page and every open dialog have a place, because a modal dialog covers
 * what is outside of it, also for screen readers; only the topmost place shows the message.
 */
export function Toasts() {
  const id = useId();
  const message = useStore(text);
  const shown = useStore(places).at(-1) === id ? message : "";
  useEffect(() => {
    places.set([...places.get(), id]);
    return () => places.set(places.get().filter((place) => place !== id));
  }, [id]);
  const canUndo = useStore(undoing) !== null && shown !== "";
  useEffect(() => {
    if (!canUndo) return undefined;
    function onKeyDown(event: KeyboardEvent): void {
      const isUndo = (event.ctrlKey || event.metaKey) && event.key === "z" && !event.shiftKey;
      if (!isUndo || isTyping(event.target)) return;
      event.preventDefault();
      undoNow();
    }
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [canUndo]);
  const area = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = area;
    if (current === null || shown === "") return undefined;
    moveAside(current);
    // Other elements come below the message when the page scrolls or grows.
    const stay = () => {
      if (costNow(current) > 0) moveAside(current);
    };
    addEventListener("scrollend", stay, { capture: true });
    const growth = new ResizeObserver(stay);
    growth.observe(document.body);
    return () => {
      removeEventListener("scrollend", stay, { capture: true });
      growth.disconnect();
    };
  }, [shown]);
  return (
    <div ref={area} className={styles.toasts} data-place="free" role="status">
      {shown !== "" && (
        <span className={styles.message}>
          {shown}
          {canUndo && (
            <button type="button" onClick={undoNow}>
              {texts.common.undo}
            </button>
          )}
        </span>
      )}
    </div>
  );
}
