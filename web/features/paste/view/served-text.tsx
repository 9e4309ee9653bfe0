import List from "lucide-react/icons/list";
import type { CSSProperties } from "react";
import type { Language } from "#contract/languages";
import { reading as german } from "../../../i18n/de/reading.ts";
import { scriptless as germanScriptless } from "../../../i18n/de/scriptless.ts";
import { reading as english } from "../../../i18n/en/reading.ts";
import { scriptless as englishScriptless } from "../../../i18n/en/scriptless.ts";
import { reading as spanish } from "../../../i18n/es/reading.ts";
import { scriptless as spanishScriptless } from "../../../i18n/es/scriptless.ts";
import { reading as french } from "../../../i18n/fr/reading.ts";
import { scriptless as frenchScriptless } from "../../../i18n/fr/scriptless.ts";
import { reading as japanese } from "../../../i18n/ja/reading.ts";
import { scriptless as japaneseScriptless } from "../../../i18n/ja/scriptless.ts";
import { reading as chinese } from "../../../i18n/zh/reading.ts";
import { scriptless as chineseScriptless } from "../../../i18n/zh/scriptless.ts";
import { Button } from "../../../ui/button.tsx";
import { place, Where } from "../../../ui/served/template.tsx";
import { FactLine } from "../../../ui/share-gate/fact-line.tsx";
import { BesideText, foldClasses, headingClasses, ReadingFrame } from "./reading-frame.tsx";

const words = {
  en: { ...english.view, open: englishScriptless.paste },
  zh: { ...chinese.view, open: chineseScriptless.paste },
  ja: { ...japanese.view, open: japaneseScriptless.paste },
  es: { ...spanish.view, open: spanishScriptless.paste },
  de: { ...german.view, open: germanScriptless.paste },
  fr: { ...french.view, open: frenchScriptless.paste },
};

/** Where scripts run, buttons of the text itself have room and no use before they do; where none run, no code is folded. */
const WITHOUT_SCRIPTS =
  '.md-code[data-folded="1"] pre{max-height:none;mask-image:none}.md-fold{display:none!important}';

/**
 * A text as it stands in its page before scripts are there, and for good where none run: in the place and with the looks that the app gives
 * it. build.ts writes it once for each language, with places that the server fills (src/fronts/site/template.ts).
 */
export function ServedText({ language }: { readonly language: Language }) {
  const of = words[language];
  return (
    <main id="served" className="flex min-w-0 flex-1 flex-col">
      <noscript>
        <style>{WITHOUT_SCRIPTS}</style>
      </noscript>
      <ReadingFrame head={<Head of={of} />} aside={<Where has="outline">{beside(of)}</Where>}>
        <Where has="plain">
          <section
            className="font-mono text-[13px] leading-[1.6]"
            style={{ "--gutter": place("gutter") } as CSSProperties}
            data-served="text"
          >
            <pre className="numbered wrap-anywhere m-0 whitespace-pre-wrap pl-(--gutter) [font:inherit]">
              {place("body")}
            </pre>
          </section>
        </Where>
        <Where lacks="plain">
          <div className="markdown" data-served="markdown" data-whole={place("whole")}>
            {place("body")}
          </div>
        </Where>
      </ReadingFrame>
    </main>
  );
}

type Of = { readonly [Name in "title" | "viewsUnlimited" | "created" | "outline" | "open"]: string };

/**
 * The button leads to the text as it is: a link would have whatever follows links count a view. It takes the room of the app's row of
 * actions, which is higher than a button for a finger.
 */
const Head = ({ of }: { readonly of: Of }) => (
  <>
    <Where has="remark">
      <h1 className={headingClasses(true)}>{place("remark")}</h1>
    </Where>
    <Where lacks="remark">
      <h1 className={headingClasses(false)}>{of.title}</h1>
    </Where>
    <FactLine>
      {place("expires")}
      {of.viewsUnlimited}
      {of.created.replace("{{time}}", place("created"))}
    </FactLine>
    <form className="flex items-center pointer-coarse:min-h-12">
      <Button type="submit" name="raw" value="1">
        {of.open}
      </Button>
    </form>
    <Where has="outline">
      <details className="xl:hidden">
        <summary className={foldClasses}>
          <List aria-hidden className="size-4" />
          {of.outline}
        </summary>
        <Outline />
      </details>
    </Where>
  </>
);

const beside = ({ outline }: Of) => (
  <BesideText title={outline}>
    <Outline />
  </BesideText>
);

/** Its links are of the server's making, and have the looks of their list. */
const Outline = () => (
  <ul className="space-y-0.5 pl-5 text-[13px] leading-5 [&_a]:block [&_a]:truncate [&_a]:px-1.5 [&_a]:py-1 [&_a]:text-muted">
    {place("outline")}
  </ul>
);
