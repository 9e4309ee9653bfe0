import type { ReactNode } from "react";
import { languageCodes, languages } from "#contract/languages";
import { scriptless as de } from "../i18n/de/scriptless.ts";
import { scriptless as en } from "../i18n/en/scriptless.ts";
import { scriptless as es } from "../i18n/es/scriptless.ts";
import { scriptless as fr } from "../i18n/fr/scriptless.ts";
import { scriptless as ja } from "../i18n/ja/scriptless.ts";
import { scriptless as zh } from "../i18n/zh/scriptless.ts";
import { OUR_NAME } from "../page/site.ts";
import { Button } from "../ui/button.tsx";
import { BRAND_PLACE, BrandMark } from "./brand.tsx";

/** The bar of a page that has no scripts yet. */
export const FirstBar = () => (
  <div className="border-line border-b bg-surface">
    <div className="mx-auto flex h-14 max-w-fluid items-center gap-1 px-4">
      <span className={BRAND_PLACE}>
        <BrandMark />
        {OUR_NAME}
      </span>
    </div>
  </div>
);

interface FirstPaintProps {
  /** A link has nothing that could be opened without scripts. */
  readonly kind: "paste" | "file" | "link";
  readonly shapes: ReactNode;
}

/**
 * What the page of a share shows before its scripts are there, and for good where none run; build.ts writes it into the page. The name is its
 * only word as long as nobody knows which language is spoken.
 */
export const FirstPaint = ({ kind, shapes }: FirstPaintProps) => (
  <>
    <FirstBar />
    <Scriptless>{(of) => (kind === "link" ? null : <OpenPlain kind={kind} words={of} />)}</Scriptless>
    <div className="flex min-w-0 flex-1 flex-col">{shapes}</div>
  </>
);

const words = { en, zh, ja, es, de, fr };
type Words = (typeof words)[keyof typeof words];

interface ScriptlessProps {
  /** What more there is to say, in the language of these words. */
  readonly children?: (words: Words) => ReactNode;
}

/** Says in every language why nothing comes; build.ts writes it into every page of the app. */
export const Scriptless = ({ children }: ScriptlessProps) => (
  <noscript>
    <style>{".animate-shimmer{display:none}"}</style>
    <div className="mx-auto grid w-full max-w-[720px] gap-8 px-4 py-8 sm:py-10">
      {languageCodes.map((code) => (
        <div key={code} lang={languages[code].tag} dir={languages[code].direction}>
          <p>{words[code].needs}</p>
          {children?.(words[code])}
        </div>
      ))}
    </div>
  </noscript>
);

/** Leads to the bytes of the share: the server knows `?raw` on its page. A button, because whatever follows the links of a page would use up views. */
const OpenPlain = ({ kind, words }: { readonly kind: "paste" | "file"; readonly words: Words }) => (
  <form>
    <p className="mb-3">{words.share}</p>
    <Button type="submit" name="raw" value="1">
      {words[kind]}
    </Button>
  </form>
);
