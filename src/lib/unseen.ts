/**
 * What ends up unseen or turns the text around it: controls, bidi and other format characters but the joiners of scripts and emoji. As in
 * src/contract/fields.ts, which refuses them in names that are chosen here.
 */
export const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu;

/** A name on a line of its own, without what tells a terminal to do something; its address says it exactly. */
export const shownName = (name: string): string => name.toWellFormed().replace(UNSEEN, "\ufffd");
