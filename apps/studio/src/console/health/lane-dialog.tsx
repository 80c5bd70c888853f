import { useQueryClient } from "@tanstack/react-query";
import { texts } from "../../texts/console.ts";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { callAdmin } from "../api.ts";
import { healthQuery, type Lane } from "../queries.ts";

/** Pauses a lane, or resumes a paused one. */
export function LaneDialog(props: { readonly lane: Lane; readonly onClose: () => void }) {
  const { lane, onClose } = props;
  const queryClient = useQueryClient();
  const step = lane.is_paused === true ? "resume" : "pause";
  const { title, explain } = texts.console.health[step];
  return (
    <ConfirmDialog
      title={title(lane.name)}
      action={title(lane.name)}
      onConfirm={async () => {
        await callAdmin(`POST /admin/v1/lanes/{name}/${step}`, { id: lane.name });
        await queryClient.invalidateQueries(healthQuery);
      }}
      onClose={onClose}
    >
      <p>{explain}</p>
    </ConfirmDialog>
  );
}
