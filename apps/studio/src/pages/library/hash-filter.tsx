import { useRef } from "react";
import { texts } from "../../texts/library.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { readHash } from "../../ui/use-transfers.ts";
import { TextFilter } from "./text-filter.tsx";

/** The job that made a file: by its hash, or by the file itself. */
export function HashFilter(props: {
  readonly value: string;
  readonly onChange: (hash: string) => void;
  readonly onFile: (file: File) => void;
}) {
  const { value, onChange, onFile } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <TextFilter
        label={texts.library.hash}
        placeholder={texts.library.hashPlaceholder}
        maxLength={200}
        value={value}
        problemOf={(text) =>
          text === "" || readHash(text) !== null ? undefined : texts.library.hashProblem
        }
        onChange={(text) => onChange(readHash(text) ?? "")}
      />
      <input
        ref={input}
        type="file"
        hidden
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file !== undefined) onFile(file);
          target.value = "";
        }}
      />
      <Button onClick={() => input.current?.click()}>
        <Icon name="upload" size={16} /> {texts.library.findFile}
      </Button>
    </>
  );
}
