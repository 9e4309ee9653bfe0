import LockKeyhole from "lucide-react/icons/lock-keyhole";
import { Fragment } from "react";
import { languages } from "#contract/languages";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import { Instant } from "../../../ui/instant.tsx";

interface SlugLinkProps {
  readonly slug: string;
  readonly link: string;
}

/** The link of a share, as its last part. */
export function SlugLink({ slug, link }: SlugLinkProps) {
  useLanguage();
  return (
    <a
      href={link}
      target="_blank"
      rel="noopener"
      title={t("admin.list.open")}
      className="min-w-6 truncate rounded font-medium font-mono text-[13px] text-accent leading-6 hover:underline pointer-coarse:py-3.25"
    >
      {slug}
    </a>
  );
}

/** Says that a share asks for a password. */
export function Locked() {
  useLanguage();
  return (
    <span title={t("admin.list.locked")} className="shrink-0 text-muted">
      <LockKeyhole aria-hidden className="size-3.5" />
      <span className="sr-only">{t("admin.list.locked")}</span>
    </span>
  );
}

interface ViewsProps {
  readonly share: { readonly views: number; readonly max_views: number };
}

/** How many views are left of a share that has a limit, or how many there were of any other. */
export function Views({ share: { views, max_views } }: ViewsProps) {
  const language = useLanguage();
  const number = (count: number) => count.toLocaleString(languages[language].locale);
  if (max_views === 0) return number(views);
  const left = Math.max(0, max_views - views);
  return (
    <span
      title={t("admin.list.viewsUsed", { count: number(views) })}
      className={classes("block tabular-nums", left === 0 && "text-danger")}
    >
      {t("admin.list.viewsLeft", { left: number(left), max: number(max_views) })}
    </span>
  );
}

interface MomentProps {
  /** null is never. */
  readonly at: string | null;
  /** Whether it is an end, which can lie behind us. */
  readonly ends?: boolean;
}

/** An instant, or that there is none. */
export function Moment({ at, ends = false }: MomentProps) {
  useLanguage();
  if (at === null) return <span className="text-muted">{t("admin.list.never")}</span>;
  if (!ends || Date.parse(at) > Date.now()) return <Instant at={at} />;
  return (
    <Instant
      at={at}
      text={t("admin.list.expired")}
      className="inline-block rounded-full bg-danger-soft px-2 font-medium text-danger text-xs leading-5"
    />
  );
}

export interface Made {
  readonly created_by: string;
  readonly key_name?: string | undefined;
}

/** Who made a share: the admin, or the key that did, by its id when it is no more. */
export function Creator({ share: { created_by, key_name } }: { readonly share: Made }) {
  useLanguage();
  const name = key_name ?? created_by.replace(/^apikey:/, "");
  return <Clipped text={created_by === "admin" ? t("admin.list.byAdmin") : t("admin.list.byKey", { name })} />;
}

/** A path or a type, on two lines where one is too short, broken after a slash rather than within a word. */
export const Whole = ({ text }: { readonly text: string }) => (
  <span title={text} className="wrap-anywhere line-clamp-2">
    {text.split(/(?<=\/)/).map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is known by its place alone.
      <Fragment key={index}>
        {part}
        <wbr />
      </Fragment>
    ))}
  </span>
);

/** One line that shows as much as there is room for, and the rest as tooltip. */
export const Clipped = ({ text }: { readonly text: string }) => (
  <span title={text} className="block truncate">
    {text}
  </span>
);
