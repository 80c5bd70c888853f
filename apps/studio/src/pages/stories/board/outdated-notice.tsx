import type { Job } from "@atelier/schemas";
import { useMutation } from "@tanstack/react-query";
import { queryClient } from "../../../data/queries.ts";
import { sessionSignal } from "../../../data/session-signal.ts";
import { refreshAfterRequest } from "../../../data/submit-once.ts";
import { CreditNotice } from "../../../form/credit-notice.tsx";
import { failureOf } from "../../../form/problems.ts";
import { formatEur } from "../../../format.ts";
import { texts } from "../../../texts/stories.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { FailureNotice } from "../failure-notice.tsx";
import { beginOrdering } from "../order-scenes.ts";
import { againQuery, showVersion } from "../queries.ts";
import { sceneToQuote, useTotal } from "../use-total.ts";
import styles from "./board.module.css";
import type { OutdatedScene } from "./outdated-scenes.ts";

/** Says that scenes show an older portrait or place, with the button that makes all of them again and its price. */
export function OutdatedNotice(props: {
  readonly job: Job;
  readonly scenes: readonly OutdatedScene[];
}) {
  const { job, scenes } = props;
  const { quote, error } = useTotal(
    scenes.map(({ body }) => ({ operation: "scene", request: sceneToQuote(body) })),
  );
  const making = useMutation({
    mutationFn: async () => {
      const signal = sessionSignal();
      const order = beginOrdering(job.id);
      // One after another: scenes that were accepted are not outdated any more when another one is refused.
      for (const { scene, body } of scenes) {
        signal.throwIfAborted();
        await order("scene", body);
        // The new version is shown once it is made, also if an older one was chosen.
        await showVersion(job.id, scene, null);
      }
    },
    onSettled: async () => {
      refreshAfterRequest();
      await queryClient.invalidateQueries(againQuery(job.id));
    },
  });
  const failure = failureOf(making.error) ?? failureOf(error);
  const lacksCredit = quote?.affordable === false;
  return (
    <div className={styles.outdatedScenes}>
      <p role="status">
        <Icon name="repeat" size={16} /> {texts.stories.outdatedScenes(scenes.length)}
      </p>
      <Button
        disabled={quote === undefined || lacksCredit || making.isPending}
        onClick={() => making.mutate()}
      >
        {making.isPending
          ? texts.stories.sending
          : texts.stories.makeOutdatedAgain(
              scenes.length,
              quote === undefined ? "…" : formatEur(quote.price_eur),
            )}
      </Button>
      {failure !== null && !lacksCredit && (
        <FailureNotice failure={failure} isOfRequest={making.error !== null} />
      )}
      {lacksCredit && <CreditNotice quote={quote} hint={texts.stories.noCreditForScenesHint} />}
    </div>
  );
}
