import type { AdminAccount, AdminJob } from "@atelier/schemas/admin";
import { texts } from "../../texts/console.ts";
import { Badge } from "../../ui/badge.tsx";

/** Marks an account that is suspended or erased; nothing for others. */
export function AccountState({
  account,
}: {
  readonly account: AdminAccount | AdminJob["account"];
}) {
  const { status } = account;
  if (status === "active") return null;
  return <Badge kind="bad">{texts.console.accounts.states[status]}</Badge>;
}
