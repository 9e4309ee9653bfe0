import type { ListedPaste } from "#contract/pastes";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useMedia } from "../../../lib/media.ts";
import { Checkbox } from "../../../ui/field.tsx";
import { Card, Skeleton } from "../../../ui/surface.tsx";
import { Moment, Preview, RowActions, SlugLink, Views } from "./row-parts.tsx";
import type { Selection } from "./selection.ts";

/** What the page does when a row asks for it. */
export interface RowVerbs {
  readonly edit: (text: ListedPaste) => void;
  readonly remove: (text: ListedPaste) => void;
}

interface ListProps {
  readonly texts: readonly ListedPaste[];
  readonly selection: Selection;
  readonly verbs: RowVerbs;
}

/** The texts as a table where there is room, as cards on a phone. */
export function TextList(props: ListProps) {
  const roomy = useMedia("(min-width: 1024px)");
  return roomy ? <Table {...props} /> : <Cards {...props} />;
}

const cell = "px-3 py-2.5 align-middle";

function Table({ texts, selection, verbs }: ListProps) {
  useLanguage();
  return (
    <Card>
      <table className="w-full table-fixed border-collapse text-left">
        <thead className="border-line border-b text-muted text-xs">
          <tr>
            <th scope="col" className="w-11 pl-2">
              <Checkbox
                hiddenLabel
                label={t("admin.texts.selectAll")}
                checked={selection.all}
                onChange={selection.toggleAll}
              />
            </th>
            <th scope="col" className="w-32 px-3 font-medium">
              {t("admin.texts.columns.link")}
            </th>
            <th scope="col" className="px-3 font-medium">
              {t("admin.texts.columns.text")}
            </th>
            <th scope="col" className="w-32 px-3 font-medium">
              {t("admin.texts.columns.created")}
            </th>
            <th scope="col" className="w-32 px-3 font-medium">
              {t("admin.texts.columns.expires")}
            </th>
            <th scope="col" className="w-20 px-3 text-right font-medium">
              {t("admin.texts.columns.views")}
            </th>
            <th scope="col" className="w-52 px-3">
              <span className="sr-only">{t("admin.texts.columns.actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {texts.map((text) => (
            <tr
              key={text.id}
              className="border-line border-b last:border-b-0 hover:bg-sunken/60 has-checked:bg-accent-soft/60"
            >
              <td className="w-11 pl-2">
                <Tick text={text} selection={selection} />
              </td>
              <th scope="row" className={`${cell} font-normal`}>
                <SlugLink text={text} />
              </th>
              <td className={cell}>
                <Preview text={text} />
              </td>
              <td className={`${cell} whitespace-nowrap`}>
                <Moment at={text.created_at} />
              </td>
              <td className={`${cell} whitespace-nowrap`}>
                <Moment at={text.expires_at} ends />
              </td>
              <td className={`${cell} text-right`}>
                <Views text={text} />
              </td>
              <td className="py-1 pr-2 pl-3">
                <RowActions text={text} onEdit={() => verbs.edit(text)} onRemove={() => verbs.remove(text)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

const Tick = ({ text, selection }: { readonly text: ListedPaste; readonly selection: Selection }) => (
  <Checkbox
    hiddenLabel
    label={t("admin.texts.selectOne", { slug: text.slug })}
    checked={selection.has(text.id)}
    onChange={() => selection.toggle(text.id)}
  />
);

function Cards({ texts, selection, verbs }: ListProps) {
  useLanguage();
  return (
    <ul className="grid grid-cols-1 gap-3">
      {texts.map((text) => (
        <li key={text.id}>
          <Card className="has-checked:border-accent">
            <div className="flex items-center gap-1 pt-1 pr-4 pl-2">
              <Tick text={text} selection={selection} />
              <SlugLink text={text} />
            </div>
            <div className="px-4 pb-2">
              <Preview text={text} />
            </div>
            <dl className="flex flex-wrap gap-x-4 gap-y-0.5 px-4 text-[13px] text-muted">
              <Fact name={t("admin.texts.columns.created")}>
                <Moment at={text.created_at} />
              </Fact>
              <Fact name={t("admin.texts.columns.expires")}>
                <Moment at={text.expires_at} ends />
              </Fact>
              <Fact name={t("admin.texts.columns.views")}>
                <Views text={text} />
              </Fact>
            </dl>
            <div className="mt-2 flex justify-end border-line border-t px-2 py-1">
              <RowActions text={text} onEdit={() => verbs.edit(text)} onRemove={() => verbs.remove(text)} />
            </div>
          </Card>
        </li>
      ))}
    </ul>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: React.ReactNode }) => (
  <div className="flex gap-1.5">
    <dt>{name}</dt>
    <dd className="text-text">{children}</dd>
  </div>
);

/** Grey rows of the list's own height. */
export const ListSkeleton = () => (
  <Card aria-busy="true">
    {["a", "b", "c", "d", "e"].map((row) => (
      <div key={row} className="flex h-[58px] items-center gap-6 border-line border-b px-4 last:border-b-0">
        <Skeleton className="h-4 w-24" />
        <Skeleton className="h-4 flex-1" />
        <Skeleton className="hidden h-4 w-40 sm:block" />
      </div>
    ))}
  </Card>
);
