import type { MemberRole } from "@atelier/schemas";
import { useState } from "react";
import { texts } from "../../texts/members.ts";
import { Choices } from "../../ui/choices.tsx";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TextField } from "../../ui/text-field.tsx";
import type { LimitDraft } from "../keys/key-draft.ts";
import { LimitFields } from "../keys/limit-fields.tsx";

/** The values of the form. */
export interface MemberDraft {
  readonly name: string;
  readonly email: string;
  readonly role: MemberRole;
  /** The limits of a maker; null when the form does not offer them. */
  readonly limits: LimitDraft | null;
}

/** Invites or changes a member. */
export function MemberForm(props: {
  readonly title: string;
  readonly action: string;
  readonly initial: MemberDraft;
  readonly roles: readonly MemberRole[];
  /** Said when the member becomes a maker. */
  readonly noteForMaker?: string | undefined;
  /** Said when the member does not stay a maker. */
  readonly noteForOthers?: string | undefined;
  /** Amount that a maker has spent in the period of its budget. */
  readonly spentEur?: string | undefined;
  readonly onSave: (draft: MemberDraft) => Promise<void>;
  readonly onClose: () => void;
}) {
  const { initial, roles, noteForMaker, noteForOthers, spentEur, onSave, ...dialog } = props;
  const [draft, setDraft] = useState(initial);
  const change = (part: Partial<MemberDraft>) => setDraft((before) => ({ ...before, ...part }));
  // The keys may arrive after the form was opened.
  const limits = draft.limits ?? initial.limits;
  const changeLimits = (part: Partial<LimitDraft>) =>
    change({ limits: limits && { ...limits, ...part } });
  return (
    <FormDialog
      {...dialog}
      fields={["name", "email", "role", "models", "budget", "budget_id"]}
      onSave={() => onSave({ ...draft, limits })}
    >
      {(problems) => (
        <>
          <TextField
            label={texts.members.name}
            problem={problems.at("name")}
            maxLength={100}
            value={draft.name}
            onChange={(name) => change({ name })}
          />
          <TextField
            label={texts.members.email}
            hint={texts.members.emailHint}
            problem={problems.at("email")}
            type="email"
            maxLength={254}
            value={draft.email}
            onChange={(email) => change({ email })}
          />
          <Choices
            label={texts.members.role}
            columns={1}
            options={roles}
            value={draft.role}
            onChange={(role) => change({ role: role as MemberRole })}
            problem={problems.at("role")}
          >
            {(role) => (
              <>
                {texts.members.roles[role as MemberRole].name}
                <small>{texts.members.roles[role as MemberRole].hint}</small>
              </>
            )}
          </Choices>
          {noteForMaker !== undefined && draft.role === "maker" && (
            <Notice kind="neutral">{noteForMaker}</Notice>
          )}
          {noteForOthers !== undefined && draft.role !== "maker" && (
            <Notice kind="neutral">{noteForOthers}</Notice>
          )}
          {limits !== null && initial.limits !== null && draft.role === "maker" && (
            <LimitFields
              initial={initial.limits}
              draft={limits}
              spentEur={spentEur}
              problems={problems}
              onChange={changeLimits}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
