import { useRef, type ComponentProps } from "react";

/** An image that does not load for another reason must not be read again and again. */
const pauseMs = 30_000;

/**
 * An image behind a signed URL. When it does not load, `onExpired` is called, so that the owner reads a
 * new URL; at most once in 30 seconds.
 */
export function Picture({
  onExpired,
  alt,
  ...props
}: ComponentProps<"img"> & {
  readonly alt: string;
  readonly src: string;
  readonly onExpired: () => void;
}) {
  const refreshedAt = useRef(Number.NEGATIVE_INFINITY);
  function onError(): void {
    if (performance.now() - refreshedAt.current < pauseMs) return;
    refreshedAt.current = performance.now();
    onExpired();
  }
  return <img {...props} alt={alt} decoding="async" onError={onError} />;
}
