import { useStore } from "@nanostores/react";
import { atom } from "nanostores";
import { useEffect, useId, useLayoutEffect, useRef } from "react";
import styles from "./toast.module.css";

const shortestMs = 5_000;
/** Slow readers need about 90 ms for each character. */
const msPerCharacter = 90;

const text = atom("");
/** Where messages can appear, the topmost place last. */
const places = atom<readonly string[]>([]);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a short message at the edge of the page until it can be read; screen readers read it out. */
export function showToast(message: string): void {
  clearTimeout(timer);
  text.set(message);
  timer = setTimeout(() => text.set(""), Math.max(shortestMs, message.length * msPerCharacter));
}

/** Elements that a message avoids; fields weigh less, since they can be read again after it. */
const actions = "button, a[href], summary";
const fields = "input, select, textarea";
const actionWeight = 100;

/** Between places that are tried, in pixels. */
const step = 12;

/** Moves a message beside the navigation of wide screens, or to the lowest place where it covers least. */
function moveAside(area: HTMLElement): void {
  const page = area.closest("dialog") ?? document;
  const find = (selector: string) =>
    [...page.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
  const [ofActions, ofFields] = [find(actions), find(fields)];
  function costOf(message: DOMRect): number {
    const count = (boxes: readonly DOMRect[]) =>
      boxes.filter((box) => isCovered(box, message)).length;
    return actionWeight * count(ofActions) + count(ofFields);
  }
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
  const area = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (area.current !== null && shown !== "") moveAside(area.current);
  }, [shown]);
  return (
    <div ref={area} className={styles.toasts} data-place="free" role="status">
      {shown !== "" && <span className={styles.message}>{shown}</span>}
    </div>
  );
}
