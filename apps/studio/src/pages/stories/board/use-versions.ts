import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { isFinal, queryClient } from "../../../data/queries.ts";
import { againQuery, shownScenesQuery } from "../queries.ts";

/**
 * The jobs that added scenes to a story or made images of it again, and which version each scene shows.
 *
 * @param isCompleted only completed stories have versions.
 */
export function useVersions(storyId: string, isCompleted: boolean) {
  const again = useQuery({ ...againQuery(storyId), enabled: isCompleted });
  const shown = useQuery({ ...shownScenesQuery(storyId), enabled: isCompleted });
  const finished = again.data?.filter(isFinal).length ?? 0;
  useEffect(() => {
    // A scene shows its newest version, which may have been made after the read that says what is shown.
    if (finished > 0) void queryClient.invalidateQueries(shownScenesQuery(storyId));
  }, [storyId, finished]);
  return { again, shown };
}
