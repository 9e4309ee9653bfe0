import RotateCcw from "lucide-react/icons/rotate-ccw";
import X from "lucide-react/icons/x";
import { useState } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { IconButton } from "../../../ui/button.tsx";
import { endingsIn, isEnding, type Kind } from "./preview-values.ts";

interface EndingsRowProps {
  readonly kind: Kind;
  /** As the setting has them. */
  readonly value: string;
  /** Those of a new installation. */
  readonly initial: string;
  /** What the server says of the list. */
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A kind of files with the endings that make it, each of which can be removed; one that is typed joins them at Enter or a comma. */
export function EndingsRow({ kind, value, initial, error, onChange }: EndingsRowProps) {
  useLanguage();
  const [typed, setTyped] = useState("");
  const name = t(`admin.settings.preview.types.${kind}`);
  const endings = endingsIn(value);
  const wanted = endingsIn(typed.replaceAll(".", " "));
  const isWrong = !wanted.every(isEnding);
  const set = (list: readonly string[]) => onChange([...new Set(list)].join(","));
  const add = (): void => {
    if (wanted.length === 0 || isWrong) return;
    set([...endings, ...wanted]);
    setTyped("");
  };
  const isInitial = endings.join() === endingsIn(initial).join();
  return (
    <tr className="border-line border-b align-top last:border-b-0 max-sm:block max-sm:py-2">
      <th scope="row" className="w-32 px-4 py-3 text-left font-medium max-sm:block max-sm:w-auto max-sm:pb-0">
        {name}
      </th>
      <td className="px-2 py-2 max-sm:block">
        <ul className="flex flex-wrap items-center gap-1.5">
          {endings.map((ending) => (
            <li key={ending} className="flex items-center rounded-full bg-sunken pl-2.5 font-mono text-[13px]">
              {ending}
              <button
                type="button"
                aria-label={t("admin.settings.preview.remove", { ending })}
                title={t("admin.settings.preview.remove", { ending })}
                onClick={() => set(endings.filter((one) => one !== ending))}
                className="grid size-7 place-items-center rounded-full text-muted hover:text-danger pointer-coarse:size-11"
              >
                <X aria-hidden className="size-3.5" />
              </button>
            </li>
          ))}
          <li>
            <input
              aria-label={t("admin.settings.preview.add", { kind: name })}
              aria-invalid={isWrong || undefined}
              placeholder={t("admin.settings.preview.addShort")}
              value={typed}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={({ target }) => setTyped(target.value)}
              onBlur={add}
              onKeyDown={(event) => {
                if (event.key !== "Enter" && event.key !== ",") return;
                event.preventDefault();
                add();
              }}
              className="h-7 w-24 rounded-full border border-line-strong border-dashed bg-transparent px-2.5 font-mono text-[13px] aria-invalid:border-danger pointer-coarse:h-11"
            />
          </li>
        </ul>
        {(isWrong || error) && (
          <p role="alert" className="mt-1.5 text-[13px] text-danger">
            {error ?? t("admin.settings.endings")}
          </p>
        )}
      </td>
      <td className="w-12 py-1.5 pr-2 text-right max-sm:block max-sm:w-auto">
        {!isInitial && (
          <IconButton label={t("admin.settings.preview.resetRow", { kind: name })} onClick={() => onChange(initial)}>
            <RotateCcw aria-hidden />
          </IconButton>
        )}
      </td>
    </tr>
  );
}
