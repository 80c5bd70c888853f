/** Saves a file as a download of the browser. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the content only some time after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The file name of a response with `Content-Disposition`, without folders. */
export function fileNameOf(response: Response, otherwise: string): string {
  const name = /filename="([^"]+)"/i.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
  return name?.split(/[/\\]/).at(-1) || otherwise;
}
