import { useQuery } from "@tanstack/react-query";
import { call } from "../../api.ts";
import { AssistProblem } from "../../form/assist-problem.tsx";
import { texts } from "../../texts/assist.ts";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { showToast } from "../../ui/toast.tsx";
import type { DraftChange } from "./draft.ts";
import styles from "./improve-dialog.module.css";

/** Shows better prompts with what was added. Choosing one replaces the prompt, which can be undone. */
export default function ImproveDialog(props: {
  readonly prompt: string;
  readonly onChange: DraftChange;
  readonly onClose: () => void;
}) {
  const { prompt, onChange, onClose } = props;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["assist", "prompt", prompt],
    queryFn: ({ signal }) => call("POST /v1/assist/prompt", { body: { prompt }, signal }),
    // Each request counts against the limit of the account.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
  function choose(better: string): void {
    onChange({ prompt: better });
    showToast(texts.assist.used, async () => onChange({ prompt }));
    onClose();
  }
  const suggestions = isFetching ? undefined : data?.suggestions;
  return (
    <Dialog title={texts.create.improve} onClose={onClose}>
      <div className={styles.improve} aria-busy={isFetching}>
        <p className={styles.given} dir="auto">
          {prompt}
        </p>
        <p role="status">
          {isFetching && texts.assist.asking}
          {suggestions !== undefined && texts.assist.choose}
        </p>
        {suggestions !== undefined && (
          <ul aria-label={texts.assist.suggestions}>
            {suggestions.map(({ prompt: better, added }) => (
              <li key={better}>
                <button type="button" onClick={() => choose(better)}>
                  <span dir="auto">{better}</span>
                  {added.length > 0 && (
                    <small dir="auto">{texts.assist.added(added.join(", "))}</small>
                  )}
                </button>
              </li>
            ))}
          </ul>
        )}
        {!isFetching && <AssistProblem error={error} onRetry={() => void refetch()} />}
        <small>{texts.assist.sentTo}</small>
      </div>
    </Dialog>
  );
}
