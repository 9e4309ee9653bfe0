import type { Language } from "#contract/languages";
import { paste as german } from "../../../i18n/de/paste.ts";
import { paste as english } from "../../../i18n/en/paste.ts";
import { paste as spanish } from "../../../i18n/es/paste.ts";
import { paste as french } from "../../../i18n/fr/paste.ts";
import { paste as japanese } from "../../../i18n/ja/paste.ts";
import { paste as chinese } from "../../../i18n/zh/paste.ts";
import { BOX, HOME } from "./home-classes.ts";

const words = { en: english, zh: chinese, ja: japanese, es: spanish, de: german, fr: french };

/** Where no scripts run, there is nothing to write in. */
const WITHOUT_SCRIPTS = "#first{display:none}";
/** The script of the page (src/fronts/site/head.ts) says whether there is a draft, which is about to be shown in the place of the hint. */
const WITH_DRAFT = "[data-draft] #hint{visibility:hidden}";

/**
 * Home before its scripts are there: the place of the editor, with what it says while it is empty, in the place and with the looks that the app
 * gives it. build.ts writes it into the page of each language.
 */
export const FirstHome = ({ language }: { readonly language: Language }) => (
  <main id="first" className="flex min-w-0 flex-1 flex-col">
    <noscript>
      <style>{WITHOUT_SCRIPTS}</style>
    </noscript>
    <style>{WITH_DRAFT}</style>
    <div className={HOME}>
      <div className={BOX}>
        <div className="min-h-12 border-line border-b pointer-coarse:min-h-[49px]" />
        <div className="min-h-11 border-line border-b pointer-coarse:min-h-[45px]" />
        {/* No text for screen readers: there is nothing yet that takes what they write. */}
        <p
          id="hint"
          aria-hidden
          className="whitespace-break-spaces px-4 py-5 text-[15px] text-muted leading-7 sm:px-8 min-[769px]:w-1/2"
        >
          {words[language].home.placeholder}
        </p>
      </div>
    </div>
  </main>
);
