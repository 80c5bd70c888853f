import { useState } from "react";
import { Picture } from "../../ui/picture.tsx";

/**
 * An image of a story. Every read of a job signs new URLs; the first one is used until it fails, since
 * a new URL is a new download.
 */
export function StoryPicture(props: {
  readonly url: string;
  readonly alt: string;
  readonly onExpired: () => void;
}) {
  const { url, alt, onExpired } = props;
  const [kept, setKept] = useState(url);
  const [failed, setFailed] = useState<string | null>(null);
  const src = fileOf(kept) === fileOf(url) && kept !== failed ? kept : url;
  if (src !== kept) setKept(src);
  function refresh(): void {
    setFailed(src);
    onExpired();
  }
  return <Picture src={src} alt={alt} loading="lazy" onExpired={refresh} />;
}

/** A signed URL without its signature. */
function fileOf(url: string): string {
  return url.split("?", 1)[0] ?? url;
}
