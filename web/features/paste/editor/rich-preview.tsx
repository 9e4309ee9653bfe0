import type { PreviewRendererProps } from "md-editor-rt";
import { useLayoutEffect, useRef } from "react";
import { act, actWords } from "../../../preview/markdown/acts.ts";
import { enhance } from "../../../preview/markdown/enhance/enhance.ts";
import { diagramWords } from "../../../preview/markdown/words.ts";

/** The preview beside the editor, drawn and brought to life like the reading page. */
export function RichPreview({ html, id, className }: PreviewRendererProps) {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = root.current;
    if (!element) return;
    element.innerHTML = html;
    void enhance(element, diagramWords());
    const onClick = (event: Event) => act(event, actWords());
    element.addEventListener("click", onClick);
    return () => element.removeEventListener("click", onClick);
  }, [html]);
  return <div ref={root} id={id} className={`${className} markdown`} />;
}
