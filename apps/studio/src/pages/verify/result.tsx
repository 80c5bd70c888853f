import type { Verification } from "@atelier/schemas";
import { useEffect, useRef, type ReactNode } from "react";
import { formatTime } from "../../format.ts";
import { texts } from "../../texts/verify.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Icon, type IconName } from "../../ui/icons.tsx";
import type { Subject } from "../../ui/use-transfers.ts";
import { changeOf, layersOf, type Layer } from "./layers.ts";
import { Preview } from "./preview.tsx";
import styles from "./verify.module.css";

const verdictIcons: Readonly<Record<Verification["verdict"], IconName>> = {
  made_here: "shield",
  mark_copied: "alert",
  mark_found: "alert",
  ai_generated: "spark",
  similar_found: "question",
  unknown: "question",
};

/** The verdict, the chain of evidence below it, and what to do next. */
export function Result(props: {
  readonly found: Verification;
  readonly subject: Subject;
  readonly children: ReactNode;
}) {
  const { found, subject, children } = props;
  const { verdict, synthetic, image } = found;
  const { name, meaning } = texts.verify.verdicts[verdict];
  const change = changeOf(found);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [found]);
  return (
    <div className={styles.result}>
      <section className={`${styles.verdict} ${styles[verdict]}`} aria-labelledby="verdict">
        {"file" in subject && <Preview file={subject.file} />}
        <div>
          <Icon name={verdictIcons[verdict]} size={28} />
          <h2 id="verdict" ref={heading} tabIndex={-1}>
            {name}
          </h2>
          <p>{meaning}</p>
          {change !== null && <p className={styles.warning}>{texts.verify.changes[change]}</p>}
          {found.contradicted_by.length > 0 && (
            <p className={styles.warning}>{texts.verify.contradiction}</p>
          )}
          {synthetic !== null && <p>{texts.verify.makings[synthetic]}</p>}
          {"sha256" in subject ? <code>{subject.sha256}</code> : <p>{subject.file.name}</p>}
          {verdict === "similar_found" && <p>{texts.verify.similarRecord}</p>}
          {verdict === "mark_copied" && <p>{texts.verify.copiedRecord}</p>}
          {image !== null && <ImageRecord image={image} />}
        </div>
      </section>
      <section className={styles.evidence} aria-labelledby="evidence">
        <h2 id="evidence">{texts.verify.basis}</h2>
        <ol>
          {layersOf(found).map((layer) => (
            <LayerItem key={layer.name} layer={layer} />
          ))}
        </ol>
      </section>
      <section className={styles.next} aria-labelledby="next">
        <h2 id="next">{texts.verify.next}</h2>
        <ul>
          {texts.verify.nextOf[verdict].map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ul>
        {verdict === "made_here" && <LabelSnippet />}
        {children}
      </section>
      <Details found={found} />
    </div>
  );
}

/** The code that a page needs to label the picture. */
function LabelSnippet() {
  const { origin } = window.location;
  const language = document.documentElement.lang;
  const snippet = `<script type="module" src="${origin}/label.js"></script>\n<atelier-label lang="${language}"></atelier-label>`;
  return (
    <div className={styles.label}>
      <h3>{texts.verify.label}</h3>
      <pre tabIndex={0} role="region" aria-label={texts.verify.label}>
        <code>{snippet}</code>
      </pre>
      <CopyButton text={snippet} name={texts.verify.copyLabel} isNamed />
    </div>
  );
}

function ImageRecord({ image }: { readonly image: NonNullable<Verification["image"]> }) {
  return (
    <dl className={styles.record} aria-label={texts.verify.record}>
      <div>
        <dt>{texts.verify.model}</dt>
        <dd>{image.model}</dd>
      </div>
      <div>
        <dt>{texts.verify.created}</dt>
        <dd className="num">{formatTime(image.created_at)}</dd>
      </div>
      <div>
        <dt>{texts.verify.formatsDelivered}</dt>
        <dd>{image.formats.map((format) => format.toUpperCase()).join(", ")}</dd>
      </div>
    </dl>
  );
}

const resultIcons: Readonly<Record<Layer["result"], IconName>> = {
  match: "check",
  no_match: "minus",
  invalid: "close",
  not_checked: "minus",
};

function LayerItem({ layer }: { readonly layer: Layer }) {
  const { name, aside, result, meaning } = layer;
  return (
    <li className={styles[result]}>
      <span className={styles.mark}>
        <Icon name={resultIcons[result]} size={16} />
      </span>
      <div>
        <h3>
          {name} <small>{aside}</small>
        </h3>
        <p>{meaning}</p>
      </div>
      <span className={styles.state}>{texts.verify.results[result]}</span>
    </li>
  );
}

function Details({ found }: { readonly found: Verification }) {
  return (
    <details className={styles.technical}>
      <summary>{texts.verify.details}</summary>
      <dl>
        {found.techniques.map(({ technique, result, detail }) => (
          <div key={technique}>
            <dt>
              <code>{technique}</code>
            </dt>
            <dd>
              <code>{result}</code>
              {found.based_on.includes(technique) && ` ${texts.verify.counts}`}
              {detail !== null && <p>{detail}</p>}
            </dd>
          </div>
        ))}
      </dl>
      <p>{texts.verify.stays}</p>
    </details>
  );
}
