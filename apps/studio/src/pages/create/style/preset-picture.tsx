import { useEffect, useState } from "react";

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** The picture of a preset. The pages' CSP allows no `data:` URLs. */
export function PresetPicture({ data }: { readonly data: string | null }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (data === null) return undefined;
    const created = URL.createObjectURL(new Blob([bytesOf(data)]));
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [data]);
  return url === undefined ? null : <img src={url} alt="" decoding="async" />;
}
