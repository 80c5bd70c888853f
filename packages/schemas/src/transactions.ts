import * as z from "zod";
import { nextCursor, pageQuery, timestamp } from "./fields.ts";

/** Query of `GET /v1/transactions`. */
export const listTransactionsQuery = pageQuery("transactions");

const transaction = z
  .strictObject({
    id: z.uuid(),
    kind: z.enum(["top_up", "charge", "withdrawal", "refund"]).meta({
      description:
        "`top_up`: credit added. `charge`: the price of a completed job. `withdrawal`: credit paid back. `refund`: the price of a job, or a part of it, returned to the balance.",
    }),
    created_at: timestamp,
    amount_eur: z
      .string()
      .regex(/^-?\d+\.\d{2,6}$/)
      .meta({
        description:
          "The change of `balance_eur` and `held_eur` together; negative for charges and withdrawals.",
        examples: ["-0.04"],
      }),
    job_id: z.uuid().nullable().meta({ description: "The job of a charge or a refund." }),
    key_id: z.uuid().nullable().meta({ description: "The key that requested the job." }),
    reference: z.string().nullable().meta({
      description:
        "The operator's reference of a top-up, withdrawal or refund, such as an invoice number.",
    }),
  })
  .meta({ id: "Transaction" });
export type Transaction = z.infer<typeof transaction>;

/** 200 of `GET /v1/transactions`. */
export const transactionList = z
  .strictObject({
    transactions: z.array(transaction).meta({ description: "Newest first." }),
    next_cursor: nextCursor,
  })
  .meta({ id: "TransactionList" });
export type TransactionList = z.infer<typeof transactionList>;
