import { randomKey } from "../data/random-key.ts";

/** The texts of a booking. */
export interface BookingTexts {
  readonly eur: string;
  readonly reason: string;
  /** The service books it once. */
  readonly reference: string;
}

/** In the storage of the tab, by what is booked. */
const prefix = "atelier.console.booking.";

/**
 * The booking that was sent last, if it was not booked or its response did not arrive, also after the page was loaded
 * again; null without one.
 *
 * @param booking its kind and target, such as `refund <job>`.
 */
export function openBooking(booking: string): BookingTexts | null {
  const kept = withStorage((storage) => storage.getItem(prefix + booking));
  return kept === null ? null : (JSON.parse(kept) as BookingTexts);
}

/** Makes the reference of a booking that was not sent before. */
export function newReference(booking: string): string {
  return `${booking.split(" ")[0]}-${randomKey().slice(0, 12)}`;
}

/**
 * Sends a booking, and keeps its texts until it is booked. A refusal does not end it: an earlier try whose response was
 * lost may have been booked.
 */
export async function bookOnce<Result>(
  booking: string,
  { eur, reason, reference }: BookingTexts,
  send: () => Promise<Result>,
): Promise<Result> {
  const texts: BookingTexts = { eur, reason, reference };
  withStorage((storage) => storage.setItem(prefix + booking, JSON.stringify(texts)));
  const result = await send();
  withStorage((storage) => storage.removeItem(prefix + booking));
  return result;
}

/** Without storage, a booking is known as long as its dialog is open. */
function withStorage<Result>(use: (storage: Storage) => Result): Result | null {
  try {
    return use(sessionStorage);
  } catch {
    return null;
  }
}
