import { readAmbiguous, readAmount } from "../data/amounts.ts";
import { texts } from "../texts/amount.ts";
import { TextField } from "../ui/text-field.tsx";

/** A field with an amount in EUR, which is sent with `amountToSend`. */
export function AmountField(props: {
  readonly label: string;
  readonly hint?: string | undefined;
  /** The problem of a refused request. */
  readonly problem: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const problem = props.problem === undefined ? undefined : problemOf(props.value, props.problem);
  return <TextField {...props} problem={problem} inputMode="decimal" />;
}

/** The problem of a text that is no amount in the language of the page, else that of the service. */
function problemOf(text: string, ofService: string): string | undefined {
  const ambiguous = readAmbiguous(text);
  if (ambiguous !== null) return texts.ambiguous(text.trim(), ambiguous);
  if (readAmount(text) === null) return texts.wrong;
  return ofService.includes("an amount in EUR") ? undefined : ofService;
}
