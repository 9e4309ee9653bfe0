import type { Language } from "#contract/languages";
import { RICH_TEXT_CHARACTERS } from "#contract/limits";
import { type OpenedPaste, pastes } from "#contract/pastes";
import { call } from "../../../api/call.ts";
import { i18n } from "../../../i18n/i18n.ts";
import { codeAhead } from "../../../page/code.ts";
import { servedText } from "../../../page/served-page.ts";
import type { ShareSource } from "../../../ui/share-gate/opening.ts";

/** A text share that has been opened. */
export type OpenPaste = OpenedPaste & { readonly content: string };

/** Loads what makes pages of Markdown: a text that the server has rendered as a whole does without. */
export const loadMarkdown = () => import("../../../preview/markdown/markdown-view.tsx");
export const markdownCode = codeAhead(loadMarkdown);

/** Whether what the server has written into a page is all of a text as it is now, in the language that is shown. */
export const isWhole = ({ id, version }: OpenedPaste, served: HTMLElement | undefined, language: Language): boolean =>
  served?.dataset.whole === `${id} ${version} ${language}`;

/** Has what shows a text arrive before the text is shown, so that nothing stands in its place for a moment. */
async function withCode(share: OpenedPaste): Promise<OpenedPaste> {
  const { content, plain } = share;
  const isRendered = content !== undefined && content.length <= RICH_TEXT_CHARACTERS && !plain;
  if (isRendered && !isWhole(share, servedText("markdown"), i18n.language.get())) await markdownCode.load();
  return share;
}

/** The way to a text share. */
export const pasteSource: ShareSource<OpenedPaste, OpenPaste> = {
  kind: "paste",
  look: async (slug, signal) =>
    await withCode(await call(pastes.open, { params: { slug }, query: { peek: "1" }, signal })),
  async prepare({ maxViews }) {
    // Only a view that is limited is lost.
    if (maxViews > 0) await loadMarkdown();
  },
  open: async (slug, password) =>
    await withCode(
      password
        ? await call(pastes.unlock, { params: { slug }, body: { password } })
        : await call(pastes.open, { params: { slug } }),
    ),
  isOpen: (share): share is OpenPaste => share.content !== undefined,
};
