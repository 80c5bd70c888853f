/** Texts of fields with an amount. */
export const texts = {
  ambiguous: (text: string, { thousands, decimals }: { thousands: string; decimals: string }) =>
    `“${text}” may mean two amounts. Write ${thousands} or ${decimals}.`,
  wrong: "Must be an amount in EUR such as 5 or 0.25, without separators of thousands.",
};
