import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keysQuery } from "../../data/account-queries.ts";
import { modelNamesQuery } from "../../data/queries.ts";
import { useSession } from "../../session.ts";
import { texts } from "../../texts/library.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Fold } from "../../ui/fold.tsx";
import { countFilters, isPair, noFilters, type Filters } from "./filters.ts";
import styles from "./filter-bar.module.css";
import { HashFilter } from "./hash-filter.tsx";
import { TextFilter } from "./text-filter.tsx";

/** Maximum length of a search that `GET /v1/jobs` accepts, in characters. */
const longestSearch = 200;

interface FilterProps {
  readonly filters: Filters;
  readonly onChange: (part: Partial<Filters>) => void;
  /** Takes a file whose job is searched. */
  readonly onFile: (file: File) => void;
}

/** The filters of the list. Every change is kept in the address. */
export function FilterBar({ filters, onChange, onFile }: FilterProps) {
  const count = countFilters(filters);
  // Typed texts that do not count yet are cleared too.
  const [clearings, setClearings] = useState(0);
  function clear(): void {
    setClearings((before) => before + 1);
    onChange(noFilters);
  }
  return (
    <Fold name={texts.library.filters} summary={texts.library.filterCount(count)}>
      <search className={styles.bar} aria-label={texts.library.filters}>
        <TextFilter
          key={clearings}
          label={texts.library.words}
          placeholder={texts.library.wordsPlaceholder}
          type="search"
          maxLength={longestSearch}
          value={filters.q}
          onChange={(q) => onChange({ q })}
        />
        <Select
          label={texts.library.operation}
          value={filters.operation}
          onChange={(operation) => onChange({ operation })}
          options={Object.entries(texts.library.operations)}
        />
        <Select
          label={texts.library.status}
          value={filters.status}
          onChange={(status) => onChange({ status })}
          options={Object.entries(texts.library.states)}
        />
        <Models filters={filters} onChange={onChange} />
        <Rare filters={filters} onChange={onChange} onFile={onFile} />
        {count > 0 && (
          <Button look="ghost" className={styles.clear} onClick={clear}>
            {texts.library.clear}
          </Button>
        )}
      </search>
    </Fold>
  );
}

function Models({ filters, onChange }: Omit<FilterProps, "onFile">) {
  const { data: names } = useQuery(modelNamesQuery);
  return (
    <Select
      label={texts.library.model}
      value={filters.model}
      onChange={(model) => onChange({ model })}
      options={[...(names ?? [])]}
    />
  );
}

/** The filters that are used rarely. Open from the start when one of them is set, and after a file is dropped. */
function Rare({ filters, onChange, onFile }: FilterProps) {
  const { key, from, to, metadata, hash } = filters;
  const isUsed = [key, from, to, metadata, hash].some((value) => value !== "");
  const [isOpen, setOpen] = useState(isUsed);
  const [shownHash, setShownHash] = useState(hash);
  if (hash !== shownHash) {
    setShownHash(hash);
    if (hash !== "") setOpen(true);
  }
  return (
    <>
      <Button
        className={styles.toggle}
        aria-expanded={isOpen}
        onClick={() => setOpen((before) => !before)}
      >
        {isOpen ? texts.library.fewer : texts.library.more}
      </Button>
      {isOpen && (
        <div className={styles.rare}>
          <Keys filters={filters} onChange={onChange} />
          <TextFilter
            label={texts.library.from}
            type="date"
            value={from}
            onChange={(day) => onChange({ from: day })}
          />
          <TextFilter
            label={texts.library.to}
            type="date"
            value={to}
            onChange={(day) => onChange({ to: day })}
          />
          <TextFilter
            label={texts.library.metadata}
            placeholder={texts.library.metadataPlaceholder}
            maxLength={600}
            value={metadata}
            problemOf={(text) =>
              text === "" || isPair(text) ? undefined : texts.library.metadataProblem
            }
            onChange={(pair) => onChange({ metadata: pair })}
          />
          <HashFilter
            value={hash}
            onChange={(value) => onChange({ hash: value })}
            onFile={onFile}
          />
        </div>
      )}
    </>
  );
}

/** Keys can be listed only with a key that may manage them. */
function Keys({ filters, onChange }: Omit<FilterProps, "onFile">) {
  const { scopes } = useSession();
  const { data } = useQuery({ ...keysQuery, enabled: scopes.includes("manage") });
  if (data === undefined && filters.key === "") return null;
  return (
    <Select
      label={texts.library.key}
      value={filters.key}
      onChange={(key) => onChange({ key })}
      options={(data ?? []).map(({ id, name, last_four: end }) => [
        id,
        texts.library.keyName(name, end),
      ])}
    />
  );
}

/** One of several values, or all. A value of the address that is not among them is shown as it is. */
function Select(props: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly onChange: (value: string) => void;
}) {
  const { label, value, options, onChange } = props;
  const isKnown = value === "" || options.some(([one]) => one === value);
  return (
    <Field label={label}>
      {(control) => (
        <select {...control} value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">{texts.library.all}</option>
          {!isKnown && <option value={value}>{value}</option>}
          {options.map(([one, name]) => (
            <option key={one} value={one}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
