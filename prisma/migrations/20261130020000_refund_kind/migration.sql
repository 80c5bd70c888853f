-- Expand: older versions leave transfers of this kind out of the transactions, and show them in statements.
ALTER TYPE "transfer_kind" ADD VALUE 'refund';
