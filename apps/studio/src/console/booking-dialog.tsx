import { useState, type ReactNode } from "react";
import { amountToSend, readAmount, writeAmount } from "../data/amounts.ts";
import { AmountField } from "../form/amount-field.tsx";
import { formatEur } from "../format.ts";
import { texts } from "../texts/console.ts";
import { Checks } from "../ui/checks.tsx";
import { FormDialog } from "../ui/dialogs/form-dialog.tsx";
import { TextField } from "../ui/text-field.tsx";
import { hideToast, showToast } from "../ui/toast.tsx";
import { bookOnce, newReference, openBooking, type BookingTexts } from "./references.ts";

/** The body of a booking. */
export interface Booking extends BookingTexts {
  /** Whether an amount is confirmed that the service finds large. */
  readonly confirm: boolean;
}

/** Asks for the amount of a booking, its reason and its reference, and says what it will do. */
export function BookingDialog(props: {
  readonly title: string;
  /** Its kind and target, such as `refund <job>`. */
  readonly booking: string;
  /** The amount at first. */
  readonly eur: string;
  /** Says what will happen with an amount. */
  readonly explain: (eur: string) => ReactNode;
  /** The text of the button. */
  readonly action: string;
  /** Books, and returns what to say afterwards. */
  readonly onBook: (booking: Booking) => Promise<string>;
  readonly onClose: () => void;
}) {
  const { title, booking, explain, action, onBook, onClose } = props;
  const [open] = useState(() => openBooking(booking));
  const [draft, setDraft] = useState<Booking>(() => ({
    ...(open ?? { eur: writeAmount(props.eur), reason: "", reference: newReference(booking) }),
    confirm: false,
  }));
  const change = (part: Partial<Booking>) => setDraft((before) => ({ ...before, ...part }));
  const named = texts.console.booking;
  const eur = amountToSend(draft.eur);
  const isAmount = Number(readAmount(draft.eur)) > 0;
  async function save(): Promise<void> {
    const [reason, reference] = [draft.reason.trim(), draft.reference.trim()];
    const sent = { ...draft, eur, reason, reference };
    // The message of an earlier booking would be read as that of this one.
    hideToast();
    showToast(await bookOnce(booking, sent, () => onBook(sent)));
    onClose();
  }
  return (
    <FormDialog
      title={title}
      action={action}
      fields={["eur", "reason", "reference", "confirm"]}
      onClose={onClose}
      onSave={save}
    >
      {(problems) => (
        <>
          {open !== null && <p>{named.open}</p>}
          <AmountField
            label={named.eur}
            problem={problems.at("eur")}
            value={draft.eur}
            onChange={(text) => change({ eur: text, confirm: false })}
          />
          <TextField
            label={named.reason}
            hint={named.reasonHint}
            problem={problems.at("reason")}
            maxLength={100}
            value={draft.reason}
            onChange={(reason) => change({ reason })}
          />
          <TextField
            label={named.reference}
            hint={named.referenceHint}
            problem={problems.at("reference")}
            maxLength={100}
            value={draft.reference}
            onChange={(reference) => change({ reference })}
          />
          {isAmount && (draft.confirm || problems.at("confirm") !== undefined) && (
            <Checks
              label={named.large}
              options={[{ value: "confirm", name: named.confirm(formatEur(eur)) }]}
              values={draft.confirm ? ["confirm"] : []}
              onChange={(values) => change({ confirm: values.length > 0 })}
              problem={draft.confirm ? undefined : problems.at("confirm")}
            />
          )}
          <p>{isAmount ? explain(eur) : named.noAmount}</p>
        </>
      )}
    </FormDialog>
  );
}
