import { useState, type KeyboardEvent } from "react";
import { texts } from "../../texts/usage.ts";
import styles from "./usage.module.css";
import { measureOf, type Measure, type NamedRow } from "./usage-query.ts";

/** In units of the SVG, which is scaled to the width of the page. */
const height = 180;
const width = 720;

/**
 * A bar per day. The bars are one tab stop: the arrow keys, Home and End move between them, and the
 * line above them shows the one with the focus or the pointer.
 */
export function DayBars(props: {
  readonly rows: readonly NamedRow[];
  readonly measure: Measure;
  readonly format: (value: number) => string;
}) {
  const { rows, measure, format } = props;
  const [chosen, setChosen] = useState<number | null>(null);
  const values = rows.map((row) => measureOf(row, measure));
  const highest = Math.max(...values, 0);
  const step = width / rows.length;
  const current = Math.min(chosen ?? rows.length - 1, rows.length - 1);
  const row = chosen === null ? undefined : rows[current];

  function onKeyDown(event: KeyboardEvent<SVGSVGElement>): void {
    const moves: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, Home: -1e9, End: 1e9 };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    const next = Math.min(Math.max(current + move, 0), rows.length - 1);
    setChosen(next);
    event.currentTarget.querySelectorAll<SVGElement>("[data-bar]")[next]?.focus();
  }

  return (
    <figure className={styles.chart}>
      <figcaption className="num">
        {row === undefined ? (
          <span>{texts.usage.highest(texts.usage.measures[measure], format(highest))}</span>
        ) : (
          <>
            <strong>{row.name}</strong> {format(measureOf(row, measure))}
            <small>{texts.usage.ofJobs(row.images, row.jobs)}</small>
          </>
        )}
      </figcaption>
      {/* The keys move between the bars, which take the focus. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/prefer-tag-over-role */}
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="group"
        aria-label={texts.usage.chart(texts.usage.measures[measure])}
        onKeyDown={onKeyDown}
        onPointerLeave={() => setChosen(null)}
      >
        {rows.map((day, index) => {
          const value = values[index] ?? 0;
          const size = highest === 0 ? 0 : Math.max((value / highest) * height, value > 0 ? 2 : 0);
          return (
            <g
              key={day.id}
              data-bar
              role="img"
              aria-label={`${day.name}: ${format(value)}`}
              tabIndex={index === current ? 0 : -1}
              className={index === chosen ? styles.chosen : undefined}
              onFocus={() => setChosen(index)}
              onBlur={() => setChosen(null)}
              onPointerEnter={() => setChosen(index)}
            >
              <rect className={styles.slot} x={index * step} width={step} height={height} />
              <rect
                className={styles.bar}
                x={index * step + step * 0.12}
                y={height - size}
                width={step * 0.76}
                height={size}
              />
            </g>
          );
        })}
      </svg>
      <div className={styles.axis} aria-hidden="true">
        <span>{rows[0]?.name}</span>
        <span>{rows.at(-1)?.name}</span>
      </div>
    </figure>
  );
}
