import { useLanguage } from "../../../i18n/i18n.ts";
import { useCode } from "../../../page/code.ts";
import { AdoptedText } from "../../../preview/markdown/adopted-text.tsx";
import type { Heading } from "../../../preview/markdown/outline.ts";
import { LostText } from "./lost-text.tsx";
import { isWhole, loadMarkdown, markdownCode, type OpenPaste } from "./opening.ts";

interface MarkdownTextProps {
  readonly share: OpenPaste;
  /** What the server has written of it into the page, if this is the page of it. */
  readonly served: HTMLElement | undefined;
  readonly onHeadings: (headings: readonly Heading[]) => void;
  readonly onWhole: () => void;
}

/** A text as Markdown: as the server has rendered it where that is all of it and still the same text, else as the page does. */
export function MarkdownText(props: MarkdownTextProps) {
  const { share, served, onHeadings, onWhole } = props;
  const language = useLanguage();
  // Once the page has rendered it in another language, the element is empty.
  if (served?.hasChildNodes() && isWhole(share, served, language))
    return <AdoptedText element={served} onHeadings={onHeadings} onWhole={onWhole} />;
  return <Rendered {...props} />;
}

function Rendered({ share, served, onHeadings, onWhole }: MarkdownTextProps) {
  const ahead = markdownCode.arrived();
  const { data = ahead, error, again } = useCode("Markdown of a text", loadMarkdown, ahead === undefined);
  if (data) {
    return <data.MarkdownView text={share.content} onHeadings={onHeadings} onWhole={onWhole} served={served} />;
  }
  return <LostText error={error} served={served} onRetry={() => void again(false)} />;
}
