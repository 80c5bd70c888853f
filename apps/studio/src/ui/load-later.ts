import { lazy, type ComponentType, type LazyExoticComponent } from "react";

/** The code of a part did not arrive: the connection is lost, or another version was installed. */
export class LoadError extends Error {}

/** A component whose code is loaded when it is first rendered, within `Suspense`. */
export function loadLater<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch (cause) {
      throw new LoadError("code did not load", { cause });
    }
  });
}
