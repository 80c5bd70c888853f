import type { AdminAccount } from "@atelier/schemas/admin";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { formatEur } from "../../format.ts";
import { texts } from "../../texts/console.ts";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { showToast } from "../../ui/toast.tsx";
import { callAdmin } from "../api.ts";
import { BookingDialog } from "../booking-dialog.tsx";
import { accountQuery } from "../queries.ts";

/** A change of an account. */
export type AccountStep = "topUp" | "withdraw" | "suspend" | "resume";

const movements = {
  topUp: { route: "POST /admin/v1/accounts/{id}/top-ups", kind: "top-up", sign: 1 },
  withdraw: { route: "POST /admin/v1/accounts/{id}/withdrawals", kind: "withdrawal", sign: -1 },
} as const;

/** The dialog of a change. */
export function AccountSteps(props: {
  readonly account: AdminAccount;
  readonly step: AccountStep;
  readonly onClose: () => void;
}) {
  const { account, step, onClose } = props;
  const { id, name, balance_eur: balance } = account;
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries(accountQuery(id));
  const { title, action } = texts.console.account.steps[step];
  if (step === "suspend" || step === "resume") {
    return (
      <ReasonDialog
        title={title(name)}
        action={action}
        text={texts.console.account.steps[step].explain}
        onSave={async (reason) => {
          await callAdmin(`POST /admin/v1/accounts/{id}/${step}`, { id, body: { reason } });
          await refresh();
        }}
        onClose={onClose}
      />
    );
  }
  const { route, kind, sign } = movements[step];
  return (
    <BookingDialog
      title={title(name)}
      booking={`${kind} ${id}`}
      eur=""
      action={action}
      explain={(eur) =>
        texts.console.account.steps[step].explain(
          formatEur(eur),
          formatEur(Number(balance) + sign * Number(eur)),
        )
      }
      onBook={async (body) => {
        const booked = await callAdmin(route, { id, body });
        await refresh();
        return texts.console.booking.done(booked.booked, formatEur(booked.balance_eur));
      }}
      onClose={onClose}
    />
  );
}

/** Asks for the reason of a change, and says what it will do. */
function ReasonDialog(props: {
  readonly title: string;
  readonly action: string;
  readonly text: string;
  readonly onSave: (reason: string) => Promise<void>;
  readonly onClose: () => void;
}) {
  const { title, action, text, onSave, onClose } = props;
  const [reason, setReason] = useState("");
  return (
    <FormDialog
      title={title}
      action={action}
      fields={["reason"]}
      onSave={async () => {
        await onSave(reason.trim());
        showToast(texts.console.saved);
        onClose();
      }}
      onClose={onClose}
    >
      {(problems) => (
        <>
          <p>{text}</p>
          <TextField
            label={texts.console.booking.reason}
            hint={texts.console.booking.reasonHint}
            problem={problems.at("reason")}
            maxLength={100}
            value={reason}
            onChange={setReason}
          />
        </>
      )}
    </FormDialog>
  );
}
