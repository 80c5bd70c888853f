import { useQueryClient } from "@tanstack/react-query";
import { formatEur } from "../../format.ts";
import { texts } from "../../texts/console.ts";
import { callAdmin } from "../api.ts";
import { BookingDialog } from "../booking-dialog.tsx";
import { jobQuery } from "../queries.ts";

/** Returns the charge of a job, or a part of it, to its account. */
export function RefundDialog(props: {
  readonly id: string;
  readonly account: { readonly id: string; readonly name: string } | null;
  /** The part of the charge that is not refunded yet. */
  readonly leftEur: string;
  readonly onClose: () => void;
}) {
  const { id, account, leftEur, onClose } = props;
  const queryClient = useQueryClient();
  const named = texts.console.jobs;
  return (
    <BookingDialog
      title={named.refundTitle}
      booking={`refund ${id}`}
      eur={leftEur}
      action={named.refund}
      explain={(eur) => named.refundText(formatEur(eur), account?.name ?? "", formatEur(leftEur))}
      onBook={async (body) => {
        const booked = await callAdmin("POST /admin/v1/jobs/{id}/refunds", { id, body });
        // The account has another balance and another transaction.
        void queryClient.invalidateQueries({ queryKey: ["account"] });
        await queryClient.invalidateQueries(jobQuery(id));
        return texts.console.booking.done(booked.booked, formatEur(booked.balance_eur));
      }}
      onClose={onClose}
    />
  );
}
