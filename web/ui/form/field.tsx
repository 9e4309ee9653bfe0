import Eye from "lucide-react/icons/eye";
import EyeOff from "lucide-react/icons/eye-off";
import { type ComponentPropsWithRef, type ReactNode, useId, useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { classes } from "../../lib/classes.ts";

interface FieldTexts {
  readonly label: string;
  /** Keeps the label for those who cannot see the place of the field, and out of sight of the others. */
  readonly hiddenLabel?: boolean;
  readonly hint?: ReactNode;
  /** What is wrong with the value; takes the hint's place. */
  readonly error?: ReactNode;
}

interface FieldProps extends FieldTexts {
  readonly id: string;
  readonly children: ReactNode;
}

/** Ids that tie a field to its label, hint and error. */
const described = (id: string, { hint, error }: FieldTexts) => ({
  id,
  "aria-invalid": error ? true : undefined,
  "aria-describedby": hint || error ? `${id}-note` : undefined,
});

const control =
  "w-full rounded-lg border border-line-strong bg-raised px-3 text-text transition-colors hover:border-muted " +
  "focus:border-accent focus:outline-2 focus:outline-accent/40 focus:outline-offset-0 " +
  "disabled:opacity-50 aria-invalid:border-danger aria-invalid:focus:outline-danger/40";

/** Label above, hint or error below a control. */
function Field({ id, label, hiddenLabel = false, hint, error, children }: FieldProps) {
  const note = error || hint;
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className={hiddenLabel ? "sr-only" : "font-medium text-sm"}>
        {label}
      </label>
      {children}
      {note && (
        <p
          id={`${id}-note`}
          role={error ? "alert" : undefined}
          className={classes("text-[13px] leading-snug", error ? "text-danger" : "text-muted")}
        >
          {note}
        </p>
      )}
    </div>
  );
}

type TextFieldProps = FieldTexts &
  Omit<ComponentPropsWithRef<"input">, "id"> & {
    /** Slugs, keys: letters of one width. */
    readonly mono?: boolean;
  };

/** One line of text; a password can be shown. */
export function TextField({ label, hiddenLabel, hint, error, mono, type, className, ...rest }: TextFieldProps) {
  const id = useId();
  const texts = { label, hiddenLabel, hint, error };
  const looks = classes(control, "h-9 pointer-coarse:h-11", mono && "font-mono", className);
  const input = { ...rest, ...described(id, texts), className: looks };
  return (
    <Field id={id} {...texts}>
      {type === "password" ? <PasswordInput {...input} /> : <input type={type ?? "text"} {...input} />}
    </Field>
  );
}

function PasswordInput({ className, ...rest }: ComponentPropsWithRef<"input">) {
  useLanguage();
  const [shown, setShown] = useState(false);
  const label = shown ? t("shell.actions.hidePassword") : t("shell.actions.showPassword");
  return (
    <div className="relative">
      <input {...rest} type={shown ? "text" : "password"} className={classes(className, "pr-11")} />
      <button
        type="button"
        aria-label={label}
        title={label}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 grid w-10 place-items-center rounded-lg text-muted hover:text-text pointer-coarse:w-11 [&_svg]:size-[18px]"
      >
        {shown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
      </button>
    </div>
  );
}

type TextAreaProps = FieldTexts & Omit<ComponentPropsWithRef<"textarea">, "id"> & { readonly mono?: boolean };

/** Several lines of text. */
export function TextArea({ label, hiddenLabel, hint, error, mono, className, ...rest }: TextAreaProps) {
  const id = useId();
  const texts = { label, hiddenLabel, hint, error };
  const looks = classes(control, "min-h-24 resize-y py-2 leading-relaxed", mono && "font-mono text-[13px]", className);
  return (
    <Field id={id} {...texts}>
      <textarea {...rest} {...described(id, texts)} className={looks} />
    </Field>
  );
}

interface CheckboxProps extends Omit<ComponentPropsWithRef<"input">, "type"> {
  readonly label: string;
  /** For rows of tables, where the label is read but not shown. */
  readonly hiddenLabel?: boolean;
}

/** A box to tick, with its label beside it. */
export function Checkbox({ label, hiddenLabel = false, className, ...rest }: CheckboxProps) {
  return (
    <label
      className={classes(
        "inline-flex min-h-9 cursor-pointer items-center gap-2.5 pointer-coarse:min-h-11",
        hiddenLabel && "min-w-6 justify-center pointer-coarse:min-w-11",
        className,
      )}
    >
      <input type="checkbox" {...rest} className="size-4 shrink-0 accent-accent pointer-coarse:size-5" />
      <span className={hiddenLabel ? "sr-only" : undefined}>{label}</span>
    </label>
  );
}
