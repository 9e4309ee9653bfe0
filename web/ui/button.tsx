import type { ComponentPropsWithRef, ReactNode } from "react";
import { classes } from "../lib/classes.ts";
import { Link, type LinkProps } from "./link.tsx";

export type ButtonVariant = "primary" | "quiet" | "plain" | "danger";

const base =
  "inline-flex h-9 shrink-0 items-center justify-center gap-2 whitespace-nowrap rounded-lg border px-3.5 font-medium text-sm " +
  "transition-colors disabled:cursor-not-allowed disabled:opacity-50 pointer-coarse:h-11 pointer-coarse:px-4 [&_svg]:size-[18px] [&_svg]:shrink-0";

const variants: Readonly<Record<ButtonVariant, string>> = {
  primary: "border-transparent bg-accent text-accent-text shadow-raised not-disabled:hover:bg-accent-hover",
  quiet: "border-line bg-raised text-text not-disabled:hover:border-line-strong not-disabled:hover:bg-sunken",
  plain: "border-transparent bg-transparent text-muted not-disabled:hover:bg-sunken not-disabled:hover:text-text",
  danger: "border-transparent bg-danger text-danger-text not-disabled:hover:bg-danger-hover",
};

/** The looks of a button, for elements that are none. */
export const buttonClasses = (variant: ButtonVariant, more?: string): string => classes(base, variants[variant], more);

interface ButtonProps extends ComponentPropsWithRef<"button"> {
  readonly variant?: ButtonVariant;
  /** Before the label; decoration only. */
  readonly icon?: ReactNode;
  /** Something started by it is under way: it stays focused but takes no second click. */
  readonly busy?: boolean;
}

/** A button. At most one primary per view. */
export function Button({ variant = "quiet", icon, busy = false, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={buttonClasses(variant, classes(busy && "opacity-70", className))}
    >
      {icon}
      {children}
    </button>
  );
}

interface ButtonLinkProps extends LinkProps {
  readonly variant?: ButtonVariant;
  readonly icon?: ReactNode;
}

/** A link within the app that looks like a button. */
export function ButtonLink({ variant = "quiet", icon, className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link {...rest} className={buttonClasses(variant, className)}>
      {icon}
      {children}
    </Link>
  );
}

interface IconButtonProps extends ComponentPropsWithRef<"button"> {
  /** What it does: its accessible name and its tooltip. */
  readonly label: string;
  readonly tone?: "muted" | "danger";
}

/** A square button with nothing but an icon. */
export function IconButton({ label, tone = "muted", className, children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={classes(
        "inline-flex size-9 shrink-0 items-center justify-center rounded-lg text-muted transition-colors pointer-coarse:size-11 [&_svg]:size-[18px]",
        "disabled:cursor-not-allowed disabled:opacity-40 aria-pressed:bg-sunken aria-pressed:text-text",
        tone === "danger"
          ? "not-disabled:hover:bg-danger-soft not-disabled:hover:text-danger"
          : "not-disabled:hover:bg-sunken not-disabled:hover:text-text",
        className,
      )}
    >
      {children}
    </button>
  );
}

interface IconLinkProps {
  readonly label: string;
  readonly href: string;
  readonly children: ReactNode;
}

/** An icon that opens an address in a tab of its own. */
export const IconLink = ({ label, href, children }: IconLinkProps) => (
  <a
    href={href}
    target="_blank"
    rel="noopener"
    aria-label={label}
    title={label}
    className={buttonClasses("plain", "w-9 px-0 pointer-coarse:w-11 pointer-coarse:px-0")}
  >
    {children}
  </a>
);
