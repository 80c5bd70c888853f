const maxLength = 48;

/**
 * A name for a downloaded file: the words of a title in letters and digits of ASCII, the end of the id
 * of the job, and the position of the image, from 1.
 */
export function fileName(
  title: string,
  { jobId, position, extension }: { jobId: string; position?: number; extension: string },
): string {
  const words = title
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, maxLength)
    .replaceAll(/^-+|(?<!-)-+$/g, "");
  const parts = ["atelier", words, jobId.slice(-8), position ?? ""];
  return `${parts.filter((part) => part !== "").join("-")}.${extension}`;
}
