import TextSearch from "lucide-react/icons/text-search";
import { useEffect, useEffectEvent, useState } from "react";
import { MAX_QUERY_CHARACTERS } from "#contract/limits";
import { TextField } from "../../../ui/form/field.tsx";

/** How long nothing must be typed before a list is asked, in milliseconds. */
const PAUSE = 250;

interface SearchBoxProps {
  readonly label: string;
  /** The label in few words, where the whole would be cut on a phone. */
  readonly placeholder?: string;
  /** The text that is searched for now. */
  readonly value: string;
  readonly onSearch: (text: string) => void;
  /** Says why a text is not searched for yet. */
  readonly hint?: (text: string) => string | undefined;
}

/** The field that narrows a list to what is typed. */
export function SearchBox({ label, placeholder = label, value, onSearch, hint }: SearchBoxProps) {
  const [typed, setTyped] = useState(value);
  const why = hint?.(typed.trim());
  // The address may change by itself: one step back, or a button that shows all again.
  useEffect(() => setTyped((present) => (present.trim() === value ? present : value)), [value]);
  const search = useEffectEvent(() => {
    if (typed.trim() !== value && why === undefined) onSearch(typed);
  });
  useEffect(() => {
    if (typed.trim() === "") return search();
    const timer = setTimeout(search, PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <search className="relative block min-w-0 flex-1 sm:max-w-72">
      <TextSearch
        aria-hidden
        className="pointer-events-none absolute top-[9px] left-3 size-[18px] text-muted pointer-coarse:top-[13px]"
      />
      <TextField
        label={label}
        hiddenLabel
        type="search"
        maxLength={MAX_QUERY_CHARACTERS}
        placeholder={placeholder}
        title={label}
        className="pl-9"
        value={typed}
        hint={why}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={({ key }) => key === "Enter" && search()}
      />
    </search>
  );
}
