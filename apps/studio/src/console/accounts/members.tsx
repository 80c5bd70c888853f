import type { ApiMember } from "@atelier/schemas/endpoints";
import { texts } from "../../texts/console.ts";
import { Badge } from "../../ui/badge.tsx";
import { Table } from "../../ui/table.tsx";
import styles from "../console.module.css";
import { formatMoment } from "../format-moment.ts";

/** The people of an account. */
export function Members({ members }: { readonly members: readonly ApiMember[] }) {
  const { columns, none, roles, disabled } = texts.console.members;
  if (members.length === 0) return <p className={styles.quiet}>{none}</p>;
  return (
    <Table name={texts.pages.members} isStacked>
      <thead>
        <tr>
          <th scope="col">{columns.name}</th>
          <th scope="col">{columns.role}</th>
          <th scope="col">{columns.email}</th>
          <th scope="col">{columns.lastSeen}</th>
        </tr>
      </thead>
      <tbody>
        {members.map((member) => (
          <tr key={member.id}>
            <th scope="row">
              <span dir="auto">{member.name}</span>{" "}
              {member.disabled_at !== null && <Badge kind="bad">{disabled}</Badge>}
            </th>
            <td>{roles[member.role]}</td>
            <td data-name={columns.email}>{member.email}</td>
            <td data-name={columns.lastSeen}>{formatMoment(member.last_seen_at)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
