import type { Preset } from "@atelier/schemas/endpoints";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { texts } from "../../texts/presets.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { NameEntry } from "../../ui/dialogs/name-entry.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/problem.tsx";
import { showToast } from "../../ui/toast.tsx";
import { isFormOperation } from "./changes.ts";
import { presetOf, type DraftChange, type DraftRequest } from "./draft.ts";
import { deletePreset, presetsQuery, savePreset, styleWords } from "./presets-query.ts";
import styles from "./presets.module.css";

/** The presets of the account: one fills the form, and the form can be saved as another one. */
export default function PresetsDialog(props: {
  readonly request: DraftRequest;
  readonly onChange: DraftChange;
  readonly onClose: () => void;
}) {
  const { request, onChange, onClose } = props;
  const { data, error } = useQuery(presetsQuery);
  const presets = data?.filter(
    (preset) => isFormOperation(preset.operation) && styleWords(preset) === null,
  );
  const [toDelete, setToDelete] = useState<Preset | null>(null);
  const saving = useMutation({
    mutationFn: (name: string) => savePreset(name, request),
    onSuccess: (_, name) => showToast(texts.presets.saved(name)),
  });
  function choose(preset: Preset): void {
    onChange((before) => presetOf(before, preset));
    showToast(texts.presets.applied(preset.name));
    onClose();
  }
  return (
    <Dialog title={texts.presets.title} onClose={onClose}>
      <div className={styles.presets}>
        {presets === undefined && error === null && <Loading />}
        {presets?.length === 0 && <p>{texts.presets.empty}</p>}
        {presets !== undefined && presets.length > 0 && (
          <ul aria-label={texts.presets.list}>
            {presets.map((preset) => (
              <li key={preset.id}>
                <button type="button" onClick={() => choose(preset)}>
                  <strong>{preset.name}</strong>
                  <span>{describe(preset)}</span>
                </button>
                <Button
                  look="ghost"
                  aria-label={texts.presets.delete(preset.name)}
                  title={texts.presets.delete(preset.name)}
                  onClick={() => setToDelete(preset)}
                >
                  <Icon name="trash" size={16} />
                </Button>
              </li>
            ))}
          </ul>
        )}
        <Problem error={error ?? saving.error} />
        <NameEntry
          label={texts.presets.name}
          hint={texts.presets.nameHint}
          action={texts.presets.save}
          isPending={saving.isPending}
          onEnter={saving.mutate}
        />
      </div>
      {toDelete !== null && (
        <ConfirmDialog
          title={texts.presets.deleteTitle(toDelete.name)}
          action={texts.presets.deleteAction}
          onConfirm={() => deletePreset(toDelete.id)}
          onClose={() => setToDelete(null)}
        >
          <p>{texts.presets.deleteHint}</p>
        </ConfirmDialog>
      )}
    </Dialog>
  );
}

/** The operation and the beginning of the prompt. */
function describe({ operation, request }: Preset): string {
  const { prompt } = request;
  const name = isFormOperation(operation) ? texts.create.operations[operation] : operation;
  return typeof prompt === "string" && prompt !== "" ? `${name}: ${prompt.slice(0, 100)}` : name;
}
