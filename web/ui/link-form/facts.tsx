import type { LinkRecord } from "#contract/links";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { classes } from "../../lib/classes.ts";
import { shownName } from "../../lib/shown-name.ts";
import { FactLine } from "../share-gate/fact-line.tsx";

/** What a link is called for its owner: by its label, its title, what it leads to, or its suffix. */
export function linkName({ label, title, items, slug }: LinkRecord): string {
  const [first] = items;
  if (label ?? title) return label ?? title ?? slug;
  return first ? shownName(first.name) : slug;
}

type Stated = Pick<LinkRecord, "state" | "closed_for">;
type Collecting = Pick<LinkRecord, "rights" | "files" | "bytes" | "max_files" | "max_bytes">;

/** Whether a link lets somebody in, in words; why not where it can be told. */
export function LinkState({ link }: { readonly link: Stated & Partial<Collecting> }) {
  useLanguage();
  const { state, closed_for: reason } = link;
  if (state === "active" && isFull(link)) return <span className="text-danger">{t("link.full")}</span>;
  return (
    <span
      title={state === "closed" && reason !== "right" ? t("link.closedHint") : undefined}
      className={classes(
        state === "active" && "text-ok",
        (state === "expired" || state === "spent" || state === "closed") && "text-danger",
      )}
    >
      {t(`link.state.${state}`)}
      {state === "closed" && reason === "right" && ` (${t("link.closedRight")})`}
    </span>
  );
}

/** Reports whether a link only collects and has taken all it may. */
function isFull({
  rights,
  files = 0,
  bytes = 0,
  max_files: most = 0,
  max_bytes: room = 0,
}: Partial<Collecting>): boolean {
  return rights?.join() === "upload" && ((most > 0 && files >= most) || (room > 0 && bytes >= room));
}

/** How often it was opened, of how often it can be. */
export function opensText({ opens: count, max_opens: max }: Pick<LinkRecord, "opens" | "max_opens">): string {
  if (max > 0) return t("link.facts.opensOf", { count, max });
  return count === 0 ? t("link.facts.unopened") : t("link.facts.opens", { count });
}

/** How much was downloaded through it, of how much can be. */
export const downloadsText = ({ downloads: count, max_downloads: max }: LinkRecord): string =>
  max > 0 ? t("link.facts.downloadsOf", { count, max }) : t("link.facts.downloads", { count });

/** How many files have come by it, of how many can; empty for a link that takes none. */
export function filesText({ rights, files: count, max_files: max }: LinkRecord): string {
  if (!rights.includes("upload") && count === 0) return "";
  return max > 0 ? t("link.facts.filesOf", { count, max }) : t("link.facts.files", { count });
}

/** What a link allows, in words. */
export const rightsText = ({ rights }: Pick<LinkRecord, "rights">): string =>
  rights.map((right) => t(`link.form.${right}`)).join(" · ");

/** One line about a link. */
export function LinkFacts({ link }: { readonly link: LinkRecord }) {
  useLanguage();
  return (
    <FactLine>
      <LinkState link={link} />
      {rightsText(link)}
      {opensText(link)}
      {filesText(link) || null}
      {link.recipient ? t("link.sealed.fact") : null}
    </FactLine>
  );
}
