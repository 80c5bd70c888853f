import { formatEur } from "../../format.ts";

/** The amount that was spent of a budget, as text and as a bar. */
export function BudgetMeter(props: {
  /** Names the bar. */
  readonly name: string;
  readonly spentEur: string;
  readonly eur: string;
  /** The limit after the amount, such as "of €5.00 per month". */
  readonly limit: string;
}) {
  const { name, spentEur, eur, limit } = props;
  return (
    <>
      <p className="num">
        <strong>{formatEur(spentEur)}</strong> {limit}
      </p>
      <meter
        min={0}
        max={Number(eur) || 1}
        value={Number(spentEur)}
        data-spent={Number(spentEur) >= Number(eur)}
        aria-label={name}
      />
    </>
  );
}
