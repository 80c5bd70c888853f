/**
 * Reads all pages of a list, one after another.
 *
 * @param read reads the page at a cursor; the first page has none.
 */
export async function readAllPages<Page extends { readonly next_cursor: string | null }>(
  read: (cursor: string | undefined) => Promise<Page>,
): Promise<readonly Page[]> {
  const pages: Page[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    pages.push(page);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return pages;
}
