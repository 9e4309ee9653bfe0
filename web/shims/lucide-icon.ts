import { createElement, type FunctionComponent, type SVGProps } from "react";

/** What an icon of lucide is drawn from; its elements are fixed and need no keys. */
interface IconData {
  readonly name: string;
  readonly node: readonly (readonly [name: string, attributes: object])[];
}

const looks = {
  xmlns: "http://www.w3.org/2000/svg",
  width: 24,
  height: 24,
  viewBox: "0 0 24 24",
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 2,
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;

/**
 * Replaces what makes components of lucide's icons in the built pages: it knows of contexts, sizes and widths of strokes that the pages never ask
 * for (1.3 kB). An icon is hidden from those who do not see it unless it has a name.
 */
export default function createIcon({ name, node }: IconData): FunctionComponent<SVGProps<SVGSVGElement>> {
  return (props) =>
    createElement(
      "svg",
      {
        ...looks,
        "aria-hidden": props["aria-label"] ? undefined : true,
        ...props,
        className: `lucide-${name} ${props.className ?? ""}`,
      },
      ...node.map(([element, attributes]) => createElement(element, attributes)),
    );
}
