import { ApiError } from "../api.ts";

/**
 * Waits for a change of something that a list shows. A failed change refreshes the list as well: its response may
 * have been lost after the change was made.
 *
 * @param gone the message when the service does not know the thing any more.
 */
export async function checkChange<Result>(
  change: Promise<Result>,
  { gone, refresh }: { readonly gone: string; readonly refresh: () => Promise<void> },
): Promise<Result> {
  try {
    return await change;
  } catch (error) {
    void refresh();
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    throw new ApiError(gone, error);
  }
}
