import { queryOptions, useQuery } from "@tanstack/react-query";
import { queryClient } from "../data/queries.ts";
import type { ComparedImage } from "./compare.tsx";

/** Kept with what was read of the account, which is forgotten at signing out. */
const selectedQuery = queryOptions({
  queryKey: ["selected picture"],
  queryFn: (): ComparedImage | null => null,
  initialData: null,
  enabled: false,
  gcTime: Number.POSITIVE_INFINITY,
});

/** Selects the picture that another one is compared with; null for none. */
export function selectPicture(picture: ComparedImage | null): void {
  queryClient.setQueryData(selectedQuery.queryKey, picture);
}

/** The picture that was selected on any page, until it is compared. */
export function useSelectedPicture(): ComparedImage | null {
  return useQuery(selectedQuery).data;
}
