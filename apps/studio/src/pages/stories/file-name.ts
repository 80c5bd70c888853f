/** A file name of a title: letters, digits and hyphens only. */
export function fileName(title: string, fallback: string): string {
  const name = title
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 60);
  return name === "" ? fallback : name;
}
