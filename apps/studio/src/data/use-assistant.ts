import { useQuery } from "@tanstack/react-query";
import { useSession } from "../session.ts";
import { accountQuery } from "./queries.ts";

/** Whether the service has an assistant that writes texts for this session. */
export function useAssistant(): boolean {
  const { scopes } = useSession();
  const { data: hasAssistant = false } = useQuery({
    ...accountQuery,
    select: ({ assistant }) => assistant,
  });
  return hasAssistant && scopes.includes("generate");
}
