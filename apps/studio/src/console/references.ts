import { randomKey } from "../data/random-key.ts";

/** In the storage of the tab, by what is booked. */
const prefix = "atelier.console.reference.";

/**
 * The reference of a booking, by which the service books it once: that of the last try if it was not booked or its
 * response did not arrive, also after the page was loaded again; else a new one.
 *
 * @param booking its kind and target, such as `refund <job>`.
 */
export function referenceOf(booking: string): string {
  const kept = withStorage((storage) => storage.getItem(prefix + booking));
  return kept ?? `${booking.split(" ")[0]}-${randomKey().slice(0, 12)}`;
}

/**
 * Sends a booking, and keeps its reference until it is booked. A refusal does not end it: an earlier try whose response
 * was lost may have been booked.
 */
export async function bookOnce<Result>(
  booking: string,
  reference: string,
  send: () => Promise<Result>,
): Promise<Result> {
  withStorage((storage) => storage.setItem(prefix + booking, reference));
  const result = await send();
  withStorage((storage) => storage.removeItem(prefix + booking));
  return result;
}

/** Without storage, a reference lasts as long as its dialog. */
function withStorage<Result>(use: (storage: Storage) => Result): Result | null {
  try {
    return use(sessionStorage);
  } catch {
    return null;
  }
}
