import type { Job } from "@atelier/schemas";
import { isFinal } from "../../data/queries.ts";
import { formatSeconds, formatTime } from "../../format.ts";
import { texts } from "../../texts/library.ts";
import styles from "./peek.module.css";

/** When a job was requested, started and finished, and how far each of its images is. */
export function Timeline({ job }: { readonly job: Job }) {
  const { created_at: created, started_at: started, completed_at: completed, renders = [] } = job;
  return (
    <section>
      <h3>{texts.library.events}</h3>
      <ol className={styles.timeline}>
        <Moment name={texts.library.requested} at={created} />
        {started !== null && <Moment name={texts.library.started} at={started} since={created} />}
        {completed !== null && isFinal(job) && (
          <Moment name={texts.library.states[job.status]} at={completed} since={created} />
        )}
      </ol>
      {renders.length > 0 && (
        <ul className={styles.renders}>
          {renders.map(({ role, name, state, scene, status }, index) => (
            <li key={`${role}-${name}-${state}-${scene ?? index}`}>
              <span>
                {texts.library.render(
                  role,
                  state === undefined ? name : `${name}, ${state}`,
                  scene ?? index + 1,
                )}
              </span>
              <span>{texts.library.states[status]}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Moment(props: {
  readonly name: string;
  readonly at: string;
  /** The start of the job, for the time that passed. */
  readonly since?: string;
}) {
  const { name, at, since } = props;
  return (
    <li>
      <span>{name}</span>
      <time dateTime={at} className="num">
        {formatTime(at)}
        {since !== undefined &&
          texts.library.after(formatSeconds((Date.parse(at) - Date.parse(since)) / 1_000))}
      </time>
    </li>
  );
}
