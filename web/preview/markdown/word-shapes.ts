import type { AlertWords } from "#contract/text/markdown-alerts";

/** The few words the rendered page itself shows. */
export interface MarkdownWords {
  readonly code: string;
  readonly copy: string;
  /** Of a block of HTML or SVG. */
  readonly preview: string;
  readonly unfold: string;
  readonly table: string;
  readonly notes: string;
  /** What a table of contents is called. */
  readonly contents: string;
  /** Of callouts. */
  readonly alerts: AlertWords;
  lines(count: number): string;
  loadImage(host: string): string;
  loadMedia(host: string): string;
  enlarge(alt: string): string;
}

/** What is read out for a diagram, and said below one that has a mistake. */
export interface DiagramWords {
  readonly diagram: string;
  readonly diagramFailed: string;
}
