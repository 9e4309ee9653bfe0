import Eye from "lucide-react/icons/eye";
import Hourglass from "lucide-react/icons/hourglass";
import Link from "lucide-react/icons/link";
import Lock from "lucide-react/icons/lock";
import MessageSquare from "lucide-react/icons/message-square";
import { Fragment, type ReactNode, useState } from "react";
import { MAX_PASSWORD_CHARACTERS, MAX_REMARK_CHARACTERS, MAX_SLUG_CHARACTERS } from "#contract/limits";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Button } from "../button.tsx";
import { CopyButton } from "../copy-button.tsx";
import { TextField } from "../form/field.tsx";
import { OptionChip } from "./chip.tsx";
import { ExpiryForm } from "./expiry-form.tsx";
import { type OptionProblem, optionProblems, type ShareOptions } from "./options.ts";
import { randomPassword, SealSwitch } from "./sealing.tsx";
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
  readonly folder?: "/paste/" | "/file/" | "/s/";
  /** What there is to know about the suffix, instead of the usual. */
  readonly suffixHint?: string | undefined;
  /** Whether it is sealed; undefined where that is not offered. */
  readonly sealed?: boolean | undefined;
  /** What belongs beside that switch. */
  readonly besideSealed?: ReactNode;
  /** Chips of the page's own. */
  readonly children?: ReactNode;
}

const order = ["expiry", "password", "maxViews", "slug", "remark"] as const;
const icons = { slug: Link, password: Lock, expiry: Hourglass, maxViews: Eye, remark: MessageSquare } as const;

/** The options of a share as a sentence of chips: "never expires · no password · unlimited views". */
export function ShareChips(props: ShareChipsProps) {
  const { options, onChange, problem, open, onOpen, folder, suffixHint, sealed, besideSealed, children } = props;
  const language = useLanguage();
  const texts = optionTexts(options, language, folder);
  const problems = [...optionProblems(options, Date.now(), sealed), ...(problem ? [problem] : [])];
  const errorAt = (field: keyof ShareOptions) => {
    const words = problems.find((one) => one.field === field)?.words;
    return words && t(words);
  };
  const change = (part: Partial<ShareOptions>) => onChange({ ...options, ...part });
  return (
    <fieldset aria-label={t("paste.options.label")} className="flex gap-2 max-sm:w-max sm:min-w-0 sm:flex-wrap">
      {order.map((field) => (
        <Fragment key={field}>
          <OptionChip
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
                sealed={sealed === true}
                close={close}
              />
            )}
          </OptionChip>
          {field === "password" && sealed !== undefined ? <SealSwitch /> : null}
          {field === "password" ? besideSealed : null}
        </Fragment>
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
  readonly sealed: boolean;
  readonly close: () => void;
}

function OptionForm({ field, options, onChange, error, hint, sealed, close }: OptionFormProps) {
  if (field === "expiry") {
    return (
      <ExpiryForm value={options.expiry} error={error} onChange={(expiry) => onChange({ expiry })} close={close} />
    );
  }
  if (field === "maxViews") {
    return <ViewsForm value={options.maxViews} onChange={(maxViews) => onChange({ maxViews })} close={close} />;
  }
  return <TextForm {...{ field, error, hint, sealed, onChange, close }} value={options[field]} />;
}

interface TextFormProps {
  readonly field: "slug" | "password" | "remark";
  readonly value: string;
  readonly error: string | undefined;
  /** Instead of the option's own. */
  readonly hint: string | undefined;
  readonly sealed: boolean;
  readonly onChange: (part: Partial<ShareOptions>) => void;
  readonly close: () => void;
}

/** The options that are one line of text. */
function TextForm({ field, value, error, hint, sealed, onChange, close }: TextFormProps) {
  useLanguage();
  const password = field === "password";
  /** What was made up for the person is shown. */
  const [made, setMade] = useState("");
  const sealedHint = field === "slug" ? undefined : t(`paste.options.sealed.${field}Hint`);
  const looks = {
    slug: { words: "suffix", limit: MAX_SLUG_CHARACTERS },
    password: { words: "password", limit: MAX_PASSWORD_CHARACTERS },
    remark: { words: "remark", limit: MAX_REMARK_CHARACTERS },
  } as const;
  const { words, limit } = looks[field];
  const make = (next: string) => {
    setMade(next);
    onChange({ password: next });
  };
  return (
    <>
      <TextField
        label={t(`paste.options.${words}.field`)}
        hint={hint ?? (sealed && sealedHint ? sealedHint : t(`paste.options.${words}.hint`))}
        error={error}
        value={value}
        maxLength={limit}
        mono={field === "slug" || (password && made !== "")}
        type={password && made === "" ? "password" : "text"}
        autoComplete={password ? "new-password" : "off"}
        autoCapitalize="none"
        spellCheck={field === "remark"}
        data-autofocus
        onChange={(event) => onChange({ [field]: event.target.value })}
      />
      <div className="flex flex-wrap justify-end gap-2">
        {password && sealed ? <RandomPassword value={value} made={made} onMake={make} /> : null}
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

interface RandomPasswordProps {
  readonly value: string;
  readonly made: string;
  readonly onMake: (password: string) => void;
}

/** Makes up a password that nobody guesses, and then copies it. */
function RandomPassword({ value, made, onMake }: RandomPasswordProps) {
  useLanguage();
  if (value !== "" && value === made) return <CopyButton text={made} label={t("paste.options.sealed.copy")} />;
  return <Button onClick={() => onMake(randomPassword())}>{t("paste.options.sealed.random")}</Button>;
}
