import type { ListedJob } from "@atelier/schemas";
import { useMutation } from "@tanstack/react-query";
import { Link } from "wouter";
import { call, messageOf } from "../../../api.ts";
import { queryClient } from "../../../data/queries.ts";
import { texts } from "../../../texts.ts";
import { Button } from "../../../ui/button.tsx";
import { TestBadge } from "../../../ui/test-badge.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { isCancellable } from "./is-cancellable.ts";
import styles from "./stage.module.css";

/** The jobs that are not final, each with a link to it, and a way to cancel all of them. */
export function Running({ jobs }: { readonly jobs: readonly ListedJob[] }) {
  const cancellable = jobs.filter(isCancellable);
  const cancelling = useMutation({
    mutationFn: () =>
      Promise.all(cancellable.map(({ id }) => call("DELETE /v1/jobs/{id}", { id }))),
    onError: (error) => showToast(messageOf(error)),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ["jobs"] });
      void queryClient.invalidateQueries({ queryKey: ["job"] });
      void queryClient.invalidateQueries({ queryKey: ["account"] });
    },
  });
  if (jobs.length === 0) return null;
  return (
    <section className={styles.running} aria-labelledby="running">
      <header>
        <h2 id="running">{texts.create.running}</h2>
        {cancellable.length > 1 && (
          <Button look="ghost" onClick={() => cancelling.mutate()} disabled={cancelling.isPending}>
            {texts.create.cancelAll(cancellable.length)}
          </Button>
        )}
      </header>
      <ul>
        {jobs.map(({ id, mode, prompt, status }) => (
          <li key={id}>
            <Link href={`/?job=${id}`}>
              <span>{prompt}</span>
              <TestBadge mode={mode} />
              <small>{texts.create.states[status]}</small>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
