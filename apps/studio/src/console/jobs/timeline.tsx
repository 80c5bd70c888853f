import { formatExactTime, formatSeconds } from "../../format.ts";
import { texts } from "../../texts/console.ts";
import styles from "../console.module.css";
import type { JobEvent } from "../queries.ts";

/** The life of a job, from its request to the last delivery of its events. */
export function Timeline({ events }: { readonly events: readonly JobEvent[] }) {
  const start = Date.parse(events[0]?.at ?? "");
  return (
    <ol className={styles.timeline}>
      {events.map(({ at, source, event, image, details, tone }, index) => (
        // The list is never sorted or changed; several events may be equal.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} className={styles[tone]}>
          <time dateTime={at} title={formatExactTime(at)} className="num">
            {formatSeconds((Date.parse(at) - start) / 1_000)}
          </time>
          <div>
            <strong>{nameOf(source, event)}</strong>
            {image !== null && <> {texts.console.jobs.imageNumber(image + 1)}</>}
            <p>
              {Object.entries(details)
                .map(([name, value]) => `${name} ${value}`)
                .join(" · ")}
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}

function nameOf(source: string, event: string): string {
  if (source === "event") return texts.console.jobs.eventOf(event);
  return texts.console.jobs.events[`${source} ${event}`] ?? event;
}
