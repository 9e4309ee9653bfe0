const STYLE_ID = "katex-style";

/** KaTeX's own style sheet: linked, because the bundler would write its fonts into everybody's first style sheet. */
export function linkMathStyle(): void {
  if (document.getElementById(STYLE_ID)) return;
  const link = document.createElement("link");
  link.id = STYLE_ID;
  link.rel = "stylesheet";
  link.href = "/assets/katex/katex.min.css";
  document.head.append(link);
}
