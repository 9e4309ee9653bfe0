import type { ComponentPropsWithRef } from "react";
import { type NavigateOptions, type To, useHref, useLinkClickHandler, useMatch } from "react-router-dom";

export interface LinkProps
  extends Omit<ComponentPropsWithRef<"a">, "href">,
    Pick<NavigateOptions, "replace" | "state"> {
  readonly to: To;
}

/** A link to a page of the app. The router's own brings along what it loads ahead from servers of its framework (4 kB). */
export function Link({ to, replace, state, onClick, ...rest }: LinkProps) {
  const go = useLinkClickHandler<HTMLAnchorElement>(to, { target: rest.target, replace, state });
  return (
    <a
      {...rest}
      href={useHref(to)}
      onClick={(event) => {
        onClick?.(event);
        if (!event.defaultPrevented) go(event);
      }}
    />
  );
}

interface PlaceLinkProps extends LinkProps {
  readonly to: string;
}

/** A link of a navigation: it is marked where its page is on view, or one below that. */
export function PlaceLink(props: PlaceLinkProps) {
  const isHere = useMatch({ path: props.to, end: props.to === "/" }) !== null;
  return <Link {...props} aria-current={isHere ? "page" : undefined} />;
}
