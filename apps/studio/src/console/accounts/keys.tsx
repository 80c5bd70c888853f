import type { ApiKey } from "@atelier/schemas";
import { useState } from "react";
import { formatEur } from "../../format.ts";
import { stateOf } from "../../pages/keys/key-limit.ts";
import { texts } from "../../texts/console.ts";
import { Badge } from "../../ui/badge.tsx";
import { Table } from "../../ui/table.tsx";
import { TestBadge } from "../../ui/test-badge.tsx";
import styles from "../console.module.css";
import { formatMoment } from "../format-moment.ts";

/** The keys of an account, without their secrets. */
export function Keys({ keys }: { readonly keys: readonly ApiKey[] }) {
  const [openedAt] = useState(Date.now);
  const { columns, none, states, all, budget, noBudget } = texts.console.keys;
  if (keys.length === 0) return <p className={styles.quiet}>{none}</p>;
  return (
    <Table name={texts.pages.keys} isStacked>
      <thead>
        <tr>
          <th scope="col">{columns.name}</th>
          <th scope="col">{columns.rights}</th>
          <th scope="col">{columns.models}</th>
          <th scope="col">{columns.limit}</th>
          <th scope="col">{columns.lastUse}</th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => {
          const state = stateOf(key, openedAt);
          return (
            <tr key={key.id}>
              <th scope="row">
                <TestBadge mode={key.mode} />
                <span dir="auto">{key.name}</span>{" "}
                <code className={`${styles.id} ${styles.line}`}>…{key.last_four}</code>{" "}
                {state !== "live" && <Badge kind="bad">{states[state]}</Badge>}
              </th>
              <td data-name={columns.rights}>{key.scopes.join(", ")}</td>
              <td data-name={columns.models}>
                {key.models === null ? all : key.models.join(", ")}
              </td>
              <td className={styles.line} data-name={columns.limit}>
                {key.budget === null
                  ? noBudget
                  : budget(formatEur(key.spent_eur), formatEur(key.budget.eur), key.budget.period)}
              </td>
              <td data-name={columns.lastUse}>{formatMoment(key.last_used_at)}</td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}
