import type { ApiKey, Budget } from "@atelier/schemas";
import { useQuery } from "@tanstack/react-query";
import { budgetsQuery } from "../../data/account-queries.ts";
import { modelsQuery } from "../../data/queries.ts";
import { formatEur, formatTime } from "../../format.ts";
import { texts } from "../../texts/keys.ts";
import { Badge } from "../../ui/badge.tsx";
import { TestBadge } from "../../ui/test-badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { BudgetMeter } from "./budget-meter.tsx";
import { limitOf, nextPeriodOf, stateOf } from "./key-limit.ts";
import styles from "./keys.module.css";

/** An action on a key. */
export type KeyAction = "edit" | "rotate" | "revoke";

/** A key in the list. */
export function KeyItem(props: {
  readonly value: ApiKey;
  /** Whether this browser is signed in with it. */
  readonly isOwn: boolean;
  /** Whether the session may change and revoke it. */
  readonly canAct: boolean;
  readonly balanceEur: string | undefined;
  readonly now: number;
  readonly onAction: (action: KeyAction) => void;
}) {
  const { value: key, isOwn, canAct, balanceEur, now, onAction } = props;
  const { data: models = [] } = useQuery(modelsQuery);
  const { data: budgets = [] } = useQuery(budgetsQuery);
  const shared = budgets.find(({ id }) => id === key.budget_id) ?? null;
  const nameOf = (id: string) => models.find((model) => model.id === id)?.name ?? id;
  const state = stateOf(key, now);
  return (
    <li className={styles.item}>
      <div className={styles.what}>
        <h2>
          {key.name} <TestBadge mode={key.mode} />{" "}
          {state !== "live" && <Badge kind="neutral">{texts.keys.states[state]}</Badge>}
          {isOwn && <Badge kind="accent">{texts.keys.ownKey}</Badge>}
        </h2>
        <p>
          <code aria-label={texts.keys.endsWith(key.last_four)}>•••• {key.last_four}</code>{" "}
          {key.scopes.map((scope) => (
            <Badge key={scope} kind="neutral">
              {texts.keys.scopeTexts[scope].name}
            </Badge>
          ))}
        </p>
        <dl>
          <Fact
            name={texts.keys.models}
            value={key.models?.map(nameOf).join(", ") ?? texts.keys.everyModel}
          />
          {shared !== null && <Fact name={texts.keys.sharedBudget} value={shared.name} />}
          <Fact
            name={texts.keys.lastUsed}
            value={key.last_used_at === null ? texts.keys.never : formatTime(key.last_used_at)}
          />
          <Fact
            name={texts.keys.expires}
            value={key.expires_at === null ? texts.keys.never : formatTime(key.expires_at)}
          />
        </dl>
      </div>
      {state === "live" && (
        <>
          <Spending value={key} shared={shared} balanceEur={balanceEur} now={now} />
          {canAct ? (
            <Actions name={key.name} onAction={onAction} />
          ) : (
            <p className={styles.fixed}>{texts.keys.mayNotAct}</p>
          )}
        </>
      )}
    </li>
  );
}

function Actions(props: { readonly name: string; readonly onAction: (action: KeyAction) => void }) {
  const { name, onAction } = props;
  return (
    <div className={styles.actions}>
      <Button aria-label={texts.keys.editName(name)} onClick={() => onAction("edit")}>
        {texts.keys.edit}
      </Button>
      <Button aria-label={texts.keys.rotateName(name)} onClick={() => onAction("rotate")}>
        <Icon name="repeat" size={16} /> {texts.keys.rotate}
      </Button>
      <Button
        look="danger"
        aria-label={texts.keys.revokeName(name)}
        onClick={() => onAction("revoke")}
      >
        {texts.keys.revoke}
      </Button>
    </div>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="num">{value}</dd>
    </div>
  );
}

/** The amount that the key has spent, and the limit that ends its spending. */
function Spending(props: {
  readonly value: ApiKey;
  readonly shared: Budget | null;
  readonly balanceEur: string | undefined;
  readonly now: number;
}) {
  const { value: key, shared, balanceEur, now } = props;
  const { budget } = key;
  const limit = balanceEur === undefined ? null : limitOf(key, balanceEur, shared);
  const isSpent = limit?.availableEur === 0;
  const nextPeriods = {
    budget: nextPeriodOf(key, now),
    shared: shared?.resets_at ?? null,
    balance: null,
  };
  const nextPeriod = isSpent ? nextPeriods[limit.binding] : null;
  return (
    <div className={styles.spending}>
      {budget === null ? (
        <p>{texts.keys.noBudget}</p>
      ) : (
        <BudgetMeter
          name={texts.keys.budgetUsed(key.name)}
          spentEur={key.spent_eur}
          eur={budget.eur}
          limit={texts.keys.ofBudget(formatEur(budget.eur), texts.keys.periods[budget.period])}
        />
      )}
      {limit !== null && (
        <p className={isSpent ? styles.spent : undefined}>
          {texts.keys.available(formatEur(limit.availableEur))}{" "}
          <span>{texts.keys.bindings[limit.binding]}.</span>
        </p>
      )}
      {nextPeriod !== null && <p>{texts.keys.startsAgain(formatTime(nextPeriod))}</p>}
    </div>
  );
}
