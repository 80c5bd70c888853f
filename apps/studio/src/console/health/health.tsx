import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { texts } from "../../texts/console.ts";
import { Page, Section } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { healthQuery, type Lane } from "../queries.ts";
import { Busiest } from "./busiest.tsx";
import { LaneDialog } from "./lane-dialog.tsx";
import { Lanes } from "./lanes.tsx";
import { Workers } from "./workers.tsx";

/** The page with the lanes, their providers, and the workers. */
export function Health() {
  const { data, error, refetch } = useQuery(healthQuery);
  const [changed, setChanged] = useState<Lane | null>(null);
  const { title, lanes, lanesLead, busiest, busiestLead, workers } = texts.console.health;
  return (
    <Page title={title}>
      <Problem error={error} onRetry={() => void refetch()} />
      {data === undefined && error === null && <p role="status">{texts.common.loading}</p>}
      {data !== undefined && (
        <>
          <Section title={lanes} lead={lanesLead}>
            <Lanes lanes={data.lanes} onChange={setChanged} />
          </Section>
          <Section title={busiest} lead={busiestLead}>
            <Busiest lanes={data.lanes} />
          </Section>
          <Section title={workers}>
            <Workers workers={data.workers} />
          </Section>
        </>
      )}
      {changed !== null && <LaneDialog lane={changed} onClose={() => setChanged(null)} />}
    </Page>
  );
}
