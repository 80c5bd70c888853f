import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { allowanceQuery, leftAfter, policies, type Policy } from "../../data/rate-limits.ts";
import { formatNumber } from "../../format.ts";
import { texts } from "../../texts/usage.ts";
import { Section } from "../../ui/page.tsx";
import styles from "./usage.module.css";

/** Requests that the session's key may send in this minute before the service responds with 429. */
export function Allowances() {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <Section title={texts.usage.limits} lead={texts.usage.limitsLead}>
      <dl className={styles.limits}>
        {policies.map((policy) => (
          <Row key={policy} policy={policy} now={now} />
        ))}
      </dl>
    </Section>
  );
}

function Row({ policy, now }: { readonly policy: Policy; readonly now: number }) {
  const { data, dataUpdatedAt } = useQuery(allowanceQuery(policy));
  const name = texts.usage.policies[policy];
  if (data === null) return null;
  const left = leftAfter(data, Math.max(now - dataUpdatedAt, 0));
  return (
    <div>
      <dt>{name}</dt>
      <dd className="num">
        {texts.usage.left(formatNumber(left), formatNumber(data.perMinute))}
        <meter
          className={styles.meter}
          min={0}
          max={data.perMinute}
          value={left}
          aria-label={texts.usage.leftOf(name)}
        />
      </dd>
    </div>
  );
}
