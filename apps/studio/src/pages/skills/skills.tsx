import type { FileFormat, FileTemplate } from "@atelier/schemas";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { saveFile } from "../../data/save-file.ts";
import { translate } from "../../languages/translate.ts";
import { texts } from "../../texts/skills.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Cards } from "./cards.tsx";
import { FilePreview } from "./file-preview.tsx";
import { KeyForm } from "./key-form.tsx";
import type { ShownFile } from "./read-skill-file.ts";
import { previewQuery, templatesQuery } from "./skill-requests.ts";
import styles from "./skills.module.css";

/** The page that makes files for assistants. */
export default function Skills() {
  const { data: templates, error, refetch } = useQuery(templatesQuery);
  // Most assistants are to make images.
  const first = templates?.find(({ slug }) => slug === "image-generation") ?? templates?.[0];
  return (
    <Page title={texts.pages.skills} lead={texts.skills.lead}>
      <Problem error={error} onRetry={() => void refetch()} />
      {templates === undefined && error === null && <p role="status">{texts.common.loading}</p>}
      {templates?.length === 0 && (
        <EmptyState icon="file" title={texts.skills.empty} hint={texts.skills.emptyHint} />
      )}
      {templates !== undefined && first !== undefined && (
        <Chooser templates={templates} first={first} />
      )}
    </Page>
  );
}

function Chooser(props: {
  readonly templates: readonly FileTemplate[];
  readonly first: FileTemplate;
}) {
  const { templates, first } = props;
  const [search, setSearch] = useSearchParams();
  const template = templates.find(({ slug }) => slug === search.get("skill")) ?? first;
  const formats = template.formats ?? [];
  const format = formats.find((one) => one === search.get("format")) ?? formats[0];
  const choose = (part: Readonly<Record<string, string>>) =>
    setSearch({ skill: template.slug, ...(format === undefined ? {} : { format }), ...part });
  return (
    <>
      <Section title={texts.skills.what}>
        <Cards
          label={texts.skills.what}
          value={template.slug}
          options={templates.map(({ slug, name, description }) => ({
            value: slug,
            name: translate(name),
            hint: translate(description.split(" Use when ")[0] ?? description),
          }))}
          onChange={(skill) => choose({ skill })}
        />
      </Section>
      <Section title={texts.skills.where}>
        <Cards
          label={texts.skills.where}
          value={format ?? ""}
          options={formats.map((one) => ({ value: one, ...texts.skills.formats[one] }))}
          onChange={(next) => choose({ format: next })}
        />
      </Section>
      {/* A file with a key belongs to its choices: others begin again. */}
      {format !== undefined && (
        <Maker key={`${template.slug} ${format}`} template={template} format={format} />
      )}
    </>
  );
}

function Maker(props: { readonly template: FileTemplate; readonly format: FileFormat }) {
  const { template, format } = props;
  const [file, setFile] = useState<{ readonly value: ShownFile; readonly hasKey: boolean }>();
  const preview = useQuery(previewQuery(template.slug, format));
  const shown = file?.value ?? preview.data;
  function take(value: ShownFile, hasKey: boolean): void {
    setFile({ value, hasKey });
    saveFile(value.name, value.content);
  }
  return (
    <>
      <Section title={texts.skills.key} lead={texts.skills.keyLead}>
        {file === undefined ? (
          <KeyForm template={template} format={format} onFile={take} />
        ) : (
          <div className={styles.done}>
            <Notice kind="good">
              <p>{texts.skills.saved(file.value.name)}</p>
              <p>{texts.skills.install[format]}</p>
              {file.hasKey && <p>{texts.skills.keyOnce}</p>}
            </Notice>
            <div className={styles.buttons}>
              <Button onClick={() => saveFile(file.value.name, file.value.content)}>
                <Icon name="download" size={16} /> {texts.skills.again}
              </Button>
              <Button look="ghost" onClick={() => setFile(undefined)}>
                {texts.skills.another}
              </Button>
            </div>
          </div>
        )}
      </Section>
      <Section
        title={texts.skills.preview}
        lead={file === undefined ? texts.skills.previewLead : texts.skills.previewOf(file.hasKey)}
      >
        <Problem error={preview.error} onRetry={() => void preview.refetch()} />
        {shown !== undefined && <FilePreview file={shown} />}
      </Section>
    </>
  );
}
