import Download from "lucide-react/icons/download";
import type { Language } from "#contract/languages";
import { file as german } from "../../i18n/de/file.ts";
import { file as english } from "../../i18n/en/file.ts";
import { file as spanish } from "../../i18n/es/file.ts";
import { file as french } from "../../i18n/fr/file.ts";
import { file as japanese } from "../../i18n/ja/file.ts";
import { file as chinese } from "../../i18n/zh/file.ts";
import { fitting, Stage } from "../../preview/file/stage.tsx";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/card.tsx";
import { place, Where } from "../../ui/served/template.tsx";
import { FactLine } from "../../ui/share-gate/fact-line.tsx";
import { actionsClasses, downloadClasses, FileFrame, factsClasses, REMARK } from "../../ui/share-gate/file-frame.tsx";
import { FILE_TITLE } from "../../ui/share-gate/file-title.tsx";

const words = {
  en: english.view,
  zh: chinese.view,
  ja: japanese.view,
  es: spanish.view,
  de: german.view,
  fr: french.view,
};

/** Where no scripts run, nothing pretends to load. */
const WITHOUT_SCRIPTS = ".animate-shimmer{display:none}";

/**
 * A file that can be shown, as it stands in its page before scripts are there, and for good where none run: its name, what is known of it and
 * its picture, in the place and with the looks that the app gives them. build.ts writes it once for each language, with places that the server
 * fills (src/fronts/site/template.ts).
 */
export function ServedFile({ language }: { readonly language: Language }) {
  const of = words[language];
  return (
    <main id="served" className="flex min-w-0 flex-1 flex-col">
      <noscript>
        <style>{WITHOUT_SCRIPTS}</style>
      </noscript>
      <FileFrame
        heading={<Heading {...{ language }} shared={of.shared} />}
        actions={<Actions download={of.download} />}
      >
        <Where has="picture">
          <Stage>
            <div className="flex w-full items-center justify-center p-3">
              {/* Of a picture in <picture> React writes no preload, which would stand there for files of which there is none. */}
              <picture className="contents">
                <img
                  src={`/api/file-thumb/${place("slug")}?w=1280`}
                  alt={place("name")}
                  fetchPriority="high"
                  width={place("width")}
                  height={place("height")}
                  className={`relative max-w-full object-contain ${fitting}`}
                />
              </picture>
            </div>
          </Stage>
        </Where>
        <Where lacks="picture">
          <Skeleton className="min-h-72 flex-1 rounded-xl" />
        </Where>
      </FileFrame>
    </main>
  );
}

const Heading = ({ language, shared }: { readonly language: Language; readonly shared: string }) => (
  <>
    <h1 className={FILE_TITLE}>
      <bdi>{place("name")}</bdi>
    </h1>
    <Where has="remark">
      <p className={REMARK}>{place("remark")}</p>
    </Where>
    <div className={factsClasses(language)}>
      <FactLine>
        {place("size")}
        {shared.replace("{{time}}", place("created"))}
        {place("expires")}
      </FactLine>
    </div>
  </>
);

/**
 * The button leads to the bytes: a link would have whatever follows links count a view. They come in a tab of their own, which closes by itself:
 * a page that has begun to lead elsewhere runs none of the scripts that come later. Below it is the room of the app's other actions.
 */
const Actions = ({ download }: { readonly download: string }) => (
  <form className={actionsClasses(false)} target="_blank">
    <Button
      type="submit"
      name="raw"
      value="1"
      variant="primary"
      className={downloadClasses(false)}
      icon={<Download aria-hidden />}
    >
      {download}
    </Button>
    <div className="h-9 pointer-coarse:h-11" />
  </form>
);
