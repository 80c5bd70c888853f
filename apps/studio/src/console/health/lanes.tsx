import { Link } from "wouter";
import { formatEur, formatExactTime, formatNumber, formatTime, formatWait } from "../../format.ts";
import { locale } from "../../language.ts";
import { texts } from "../../texts/console.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Table } from "../../ui/table.tsx";
import styles from "../console.module.css";
import type { Lane } from "../queries.ts";
import { useCanWrite } from "../session.ts";

/** The lanes with their queues and providers. */
export function Lanes(props: {
  readonly lanes: readonly Lane[];
  /** Opens the dialog that pauses or resumes a lane. */
  readonly onChange: (lane: Lane) => void;
}) {
  const { lanes, onChange } = props;
  const canWrite = useCanWrite();
  const { columns, pause, resume } = texts.console.health;
  return (
    <Table name={texts.console.health.lanes} isStacked>
      <thead>
        <tr>
          <th scope="col">{columns.lane}</th>
          {canWrite && (
            <th scope="col">
              <span className="sr">{columns.actions}</span>
            </th>
          )}
          <th scope="col" className="num">
            {columns.waiting}
          </th>
          <th scope="col" className="num">
            {columns.running}
          </th>
          <th scope="col">{columns.oldest}</th>
          <th scope="col">{columns.circuit}</th>
          <th scope="col">{columns.errors}</th>
          <th scope="col">{columns.price}</th>
        </tr>
      </thead>
      <tbody>
        {lanes.map((lane) => (
          <tr key={lane.name}>
            <th scope="row">
              {lane.name} <LaneState lane={lane} />
            </th>
            {canWrite && (
              <td>
                {lane.can_pause && lane.is_paused !== null && (
                  <Button
                    aria-label={(lane.is_paused ? resume : pause).title(lane.name)}
                    onClick={() => onChange(lane)}
                  >
                    {(lane.is_paused ? resume : pause).action}
                  </Button>
                )}
              </td>
            )}
            <td className="num" data-name={columns.waiting}>
              {formatNumber(lane.waiting)}
            </td>
            <td className="num" data-name={columns.running}>
              {formatNumber(lane.running)}
            </td>
            <td className={styles.line} data-name={columns.oldest}>
              {lane.oldest_job_id !== null && (
                <Link href={`/jobs/${lane.oldest_job_id}`}>{formatWait(lane.oldest_seconds)}</Link>
              )}
            </td>
            <td data-name={columns.circuit}>
              <Provider lane={lane} />
            </td>
            <td className={styles.line} data-name={columns.errors}>
              {errorsOf(lane)}
            </td>
            <td data-name={columns.price}>
              {lane.models.length > 0 && (
                <ul className={styles.line}>
                  {lane.models.map(({ id, from_eur: from, to_eur: to }) => (
                    <li key={id}>
                      {id} {from === to ? formatEur(from) : `${formatEur(from)}–${formatEur(to)}`}
                    </li>
                  ))}
                </ul>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** Whether workers begin images of a lane. A paused lane is drained once nothing of it is in work. */
function LaneState({ lane: { is_paused: isPaused, running } }: { readonly lane: Lane }) {
  const { paused, draining, unknown } = texts.console.health;
  if (isPaused === false) return null;
  return (
    <Badge kind={isPaused === null ? "bad" : "accent"}>
      {isPaused === null ? unknown : running > 0 ? draining : paused}
    </Badge>
  );
}

/** Whether the provider of a lane is called, and its failed calls of the last hour while it fails. */
function Provider({ lane }: { readonly lane: Lane }) {
  const { circuit, is_paused: isPaused, last_hour: lastHour } = lane;
  const { state, failures, reason, open_until: until } = circuit;
  const { circuits, failuresInRow, stoppedUntil, oneCall, noCall, errorOf } = texts.console.health;
  const isFailing = failures > 0 || state !== "closed";
  return (
    <div className={isFailing ? styles.reasons : undefined}>
      <Badge kind={state === "closed" ? "good" : "bad"}>{circuits[state]}</Badge>
      {state === "open" && until !== null && <p>{stoppedUntil(formatExactTime(until))}</p>}
      {state === "half_open" && <p>{isPaused === true ? noCall : oneCall}</p>}
      {failures > 0 && <p>{failuresInRow(failures)}</p>}
      {isFailing && reason !== null && <p>{reason}</p>}
      {isFailing && lastHour.errors.length > 0 && (
        <ul>
          {lastHour.errors.map(({ kind, count, last_at: at }) => (
            <li key={kind}>
              {errorOf(
                texts.console.jobs.events[`call call ${kind}`] ?? kind,
                counted(lastHour, count),
                formatTime(at),
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The share of failed calls in the last hour. */
function errorsOf({ last_hour: lastHour }: Lane): string {
  const { calls, error_rate: rate } = lastHour;
  if (rate === null) return "–";
  const share = new Intl.NumberFormat(locale, {
    style: "percent",
    maximumFractionDigits: 1,
  }).format(rate);
  return texts.console.health.ofCalls(share, counted(lastHour, calls));
}

/** A number of calls, with "at least" when not all calls of the hour were read. */
function counted({ is_complete: isComplete }: Lane["last_hour"], count: number): string {
  const text = formatNumber(count);
  return isComplete ? text : texts.console.atLeast(text);
}
