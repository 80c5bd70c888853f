import type { Account, StudioLanguage } from "@atelier/schemas";
import type { BodyInput, updateAccount } from "@atelier/schemas/endpoints";
import { useMutation } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { call, sendJson } from "../../api.ts";
import { amountToSend, writeAmount } from "../../data/amounts.ts";
import { problemsOf } from "../../data/field-problems.ts";
import { accountQuery, queryClient } from "../../data/queries.ts";
import { AmountField } from "../../form/amount-field.tsx";
import { listLanguages, openInLanguage } from "../../language.ts";
import { texts } from "../../texts/account.ts";
import { Button } from "../../ui/button.tsx";
import { Checks } from "../../ui/checks.tsx";
import { Choices } from "../../ui/choices.tsx";
import { Field } from "../../ui/field.tsx";
import form from "../../ui/form.module.css";
import { Problem } from "../../ui/problem.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { showToast } from "../../ui/toast.tsx";
import { ShorteningDialog, type RetentionPreview } from "./shortening-dialog.tsx";

/** The longest retention that `GET /studio/retention` accepts, in hours. */
const longestHours = 1_000_000;

const fields = ["strictness", "retention_hours", "low_balance_eur", "language"];

/** The values of the form. */
interface Settings {
  readonly strictness: Account["strictness"];
  readonly hours: string;
  readonly lowBalance: string;
  /** Empty for that of the browser. */
  readonly language: StudioLanguage | "";
  readonly keepsStarred: boolean;
  readonly makersReadAll: boolean;
}

function settingsOf(account: Account): Settings {
  return {
    strictness: account.strictness,
    hours: String(account.retention_hours),
    lowBalance: account.low_balance_eur === null ? "" : writeAmount(account.low_balance_eur),
    language: account.language ?? "",
    keepsStarred: account.keep_starred,
    makersReadAll: account.makers_read_all,
  };
}

/** The body of a request that changes what differs from the saved settings. */
function changesOf(settings: Settings, saved: Settings) {
  const { strictness, hours, lowBalance, language, keepsStarred, makersReadAll } = settings;
  return {
    ...(strictness === saved.strictness ? {} : { strictness }),
    ...(hours.trim() === saved.hours ? {} : { retention_hours: readHours(hours.trim()) }),
    ...(lowBalance.trim() === saved.lowBalance
      ? {}
      : { low_balance_eur: amountToSend(lowBalance) || null }),
    ...(language === saved.language ? {} : { language: language || null }),
    ...(keepsStarred === saved.keepsStarred ? {} : { keep_starred: keepsStarred }),
    ...(makersReadAll === saved.makersReadAll ? {} : { makers_read_all: makersReadAll }),
  };
}

/** A number of hours; null for the maximum. The service describes what is wrong with other texts. */
function readHours(text: string): number | string | null {
  if (text === "") return null;
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** Changed settings that delete images earlier, and wait for a confirmation. */
interface Confirmation {
  readonly body: ReturnType<typeof changesOf>;
  readonly preview: RetentionPreview;
}

/**
 * Reads which images the changed settings delete earlier. The service compares with its own settings:
 * another tab may have changed them.
 *
 * @returns null when the retention stays as it is, or is refused anyway.
 */
async function previewOf(body: ReturnType<typeof changesOf>): Promise<RetentionPreview | null> {
  const hours = body.retention_hours;
  if (hours === undefined || typeof hours === "string" || hours === 0) return null;
  const query = hours === null ? "" : `?hours=${Math.min(hours, longestHours)}`;
  return sendJson<RetentionPreview>("GET", `/studio/retention${query}`);
}

/** Changes the settings of the account. */
export function SettingsForm({ account }: { readonly account: Account }) {
  const [saved, setSaved] = useState(() => settingsOf(account));
  const [settings, setSettings] = useState(saved);
  const change = (part: Partial<Settings>) => setSettings((before) => ({ ...before, ...part }));
  const saving = useMutation({
    mutationFn: (body: ReturnType<typeof changesOf>) =>
      call("PATCH /v1/account", { body: body as BodyInput<typeof updateAccount> }),
    onSuccess: (changed) => {
      queryClient.setQueryData(accountQuery.queryKey, changed);
      if ((changed.language ?? "") !== saved.language) {
        return openInLanguage(changed.language, { isOfAccount: true });
      }
      setSaved(settingsOf(changed));
      setSettings(settingsOf(changed));
      showToast(texts.account.saved);
    },
  });
  const problems = problemsOf(saving.error, fields);
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const checking = useMutation({
    mutationFn: async (body: ReturnType<typeof changesOf>) => {
      const preview = await previewOf(body);
      if (preview === null || preview.deleted_at_once + preview.deleted_earlier === 0) {
        return saving.mutateAsync(body).catch(() => undefined);
      }
      setConfirmation({ body, preview });
    },
  });
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    checking.mutate(changesOf(settings, saved));
  }
  return (
    <form className={form.form} noValidate onSubmit={submit}>
      <Choices
        label={texts.create.strictness}
        columns={2}
        options={["normal", "liberal"]}
        value={settings.strictness}
        onChange={(value) => change({ strictness: value as Account["strictness"] })}
        problem={problems.at("strictness")}
      >
        {(value) => (
          <>
            {texts.create.strictnessNames[value as Account["strictness"]]}
            <small>{texts.account.strictnessHints[value as Account["strictness"]]}</small>
          </>
        )}
      </Choices>
      <div className={form.row}>
        <TextField
          label={texts.account.retention}
          hint={texts.account.retentionHint(account.max_retention_hours)}
          problem={problems.at("retention_hours")}
          inputMode="numeric"
          value={settings.hours}
          onChange={(hours) => change({ hours })}
        />
        <AmountField
          label={texts.account.lowBalance}
          hint={texts.account.lowBalanceHint}
          problem={problems.at("low_balance_eur")}
          value={settings.lowBalance}
          onChange={(lowBalance) => change({ lowBalance })}
        />
      </div>
      <Checks
        label={texts.account.stars}
        options={[
          { value: "keep", name: texts.account.keepStarred, hint: texts.account.keepStarredHint },
        ]}
        values={settings.keepsStarred ? ["keep"] : []}
        onChange={(values) => change({ keepsStarred: values.length > 0 })}
      />
      <Checks
        label={texts.pages.members}
        options={[
          {
            value: "all",
            name: texts.account.makersReadAll,
            hint: texts.account.makersReadAllHint,
          },
        ]}
        values={settings.makersReadAll ? ["all"] : []}
        onChange={(values) => change({ makersReadAll: values.length > 0 })}
      />
      <Field
        label={texts.account.language}
        hint={texts.account.languageHint}
        problem={problems.at("language")}
      >
        {(control) => (
          <select
            {...control}
            value={settings.language}
            onChange={({ target }) => change({ language: target.value as StudioLanguage | "" })}
          >
            <option value="">{texts.account.languageOfBrowser}</option>
            {listLanguages().map(({ code, name }) => (
              <option key={code} value={code} lang={code}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Problem error={problems.other ?? checking.error} />
      <div className={form.buttons}>
        <Button type="submit" look="primary" disabled={saving.isPending || checking.isPending}>
          {texts.common.save}
        </Button>
      </div>
      {confirmation !== null && (
        <ShorteningDialog
          preview={confirmation.preview}
          // What was refused is shown in the form.
          onConfirm={() => saving.mutateAsync(confirmation.body).catch(() => undefined)}
          onClose={() => setConfirmation(null)}
        />
      )}
    </form>
  );
}
