import Eye from "lucide-react/icons/eye";
import Hourglass from "lucide-react/icons/hourglass";
import Link from "lucide-react/icons/link";
import Lock from "lucide-react/icons/lock";
import MessageSquare from "lucide-react/icons/message-square";
import type { ReactNode } from "react";
import { MAX_PASSWORD_CHARACTERS, MAX_REMARK_CHARACTERS, MAX_SLUG_CHARACTERS } from "#contract/limits";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Button } from "../button.tsx";
import { TextField } from "../field.tsx";
import { OptionChip } from "./chip.tsx";
import { ExpiryForm } from "./expiry-form.tsx";
import { type OptionProblem, optionProblems, type ShareOptions } from "./options.ts";
import { optionTexts } from "./sentence.ts";
import { ViewsForm } from "./views-form.tsx";

interface ShareChipsProps {
  readonly options: ShareOptions;
  readonly onChange: (options: ShareOptions) => void;
  /** What the server has said against one of them. Its chip shows it; what the browser can tell by itself every chip shows. */
  readonly problem: OptionProblem | undefined;
  /** The chip whose popover is open, held by the parent so that a refusal can open it again. */
  readonly open: keyof ShareOptions | undefined;
  readonly onOpen: (field: keyof ShareOptions | undefined) => void;
  /** What stands before the suffix in the link. */
  readonly folder?: "/paste/" | "/file/";
  /** What there is to know about the suffix, instead of the usual. */
  readonly suffixHint?: string | undefined;
  /** Chips of the page's own. */
  readonly children?: ReactNode;
}

const order = ["expiry", "password", "maxViews", "slug", "remark"] as const;
const icons = { slug: Link, password: Lock, expiry: Hourglass, maxViews: Eye, remark: MessageSquare } as const;

/** The options of a share as a sentence of chips: "never expires · no password · unlimited views". */
export function ShareChips(props: ShareChipsProps) {
  const { options, onChange, problem, open, onOpen, folder, suffixHint, children } = props;
  const language = useLanguage();
  const texts = optionTexts(options, language, folder);
  const problems = [...optionProblems(options, Date.now()), ...(problem ? [problem] : [])];
  const errorAt = (field: keyof ShareOptions) => {
    const words = problems.find((one) => one.field === field)?.words;
    return words && t(words);
  };
  const change = (part: Partial<ShareOptions>) => onChange({ ...options, ...part });
  return (
    <fieldset aria-label={t("paste.options.label")} className="flex gap-2 max-sm:w-max sm:min-w-0 sm:flex-wrap">
      {order.map((field) => (
        <OptionChip
          key={field}
          icon={icons[field]}
          title={texts[field].title}
          text={texts[field].text}
          set={texts[field].set}
          wrong={errorAt(field) !== undefined}
          open={open === field}
          onOpenChange={(next) => onOpen(next ? field : undefined)}
        >
          {(close) => (
            <OptionForm
              field={field}
              options={options}
              onChange={change}
              error={errorAt(field)}
              hint={field === "slug" ? suffixHint : undefined}
              close={close}
            />
          )}
        </OptionChip>
      ))}
      {children}
    </fieldset>
  );
}

interface OptionFormProps {
  readonly field: keyof ShareOptions;
  readonly options: ShareOptions;
  readonly onChange: (part: Partial<ShareOptions>) => void;
  readonly error: string | undefined;
  readonly hint: string | undefined;
  readonly close: () => void;
}

function OptionForm({ field, options, onChange, error, hint, close }: OptionFormProps) {
  if (field === "expiry") {
    return (
      <ExpiryForm value={options.expiry} error={error} onChange={(expiry) => onChange({ expiry })} close={close} />
    );
  }
  if (field === "maxViews") {
    return <ViewsForm value={options.maxViews} onChange={(maxViews) => onChange({ maxViews })} close={close} />;
  }
  return <TextForm field={field} value={options[field]} error={error} hint={hint} onChange={onChange} close={close} />;
}

interface TextFormProps {
  readonly field: "slug" | "password" | "remark";
  readonly value: string;
  readonly error: string | undefined;
  /** Instead of the option's own. */
  readonly hint: string | undefined;
  readonly onChange: (part: Partial<ShareOptions>) => void;
  readonly close: () => void;
}

/** The options that are one line of text. */
function TextForm({ field, value, error, hint, onChange, close }: TextFormProps) {
  useLanguage();
  const password = field === "password";
  const looks = {
    slug: { words: "suffix", limit: MAX_SLUG_CHARACTERS },
    password: { words: "password", limit: MAX_PASSWORD_CHARACTERS },
    remark: { words: "remark", limit: MAX_REMARK_CHARACTERS },
  } as const;
  const { words, limit } = looks[field];
  return (
    <>
      <TextField
        label={t(`paste.options.${words}.field`)}
        hint={hint ?? t(`paste.options.${words}.hint`)}
        error={error}
        value={value}
        maxLength={limit}
        mono={field === "slug"}
        type={password ? "password" : "text"}
        autoComplete={password ? "new-password" : "off"}
        autoCapitalize="none"
        spellCheck={field === "remark"}
        data-autofocus
        onChange={(event) => onChange({ [field]: event.target.value })}
      />
      <div className="flex justify-end gap-2">
        {value ? (
          <Button
            variant="plain"
            onClick={() => {
              onChange({ [field]: "" });
              close();
            }}
          >
            {t("paste.options.remove")}
          </Button>
        ) : null}
        <Button type="submit">{t("paste.options.done")}</Button>
      </div>
    </>
  );
}
