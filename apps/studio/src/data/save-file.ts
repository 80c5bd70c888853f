/** Saves a file as a download of the browser. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun by the next task.
  setTimeout(() => URL.revokeObjectURL(url));
}

/** The file name of a response with `Content-Disposition`, without folders. */
export function fileNameOf(response: Response, otherwise: string): string {
  const name = /filename="([^"]+)"/i.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
  return name?.split(/[/\\]/).at(-1) || otherwise;
}
