/** What ends up unseen or turns the text around it: controls, bidi and other format characters but the joiners of scripts and emoji. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u;
/** Letters count as blank too when nothing is drawn for them, such as the Hangul fillers. */
const seen = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text may stand as a name on a screen: well-formed, not blank, and nothing in it that cannot be seen. */
export const isName = (text: string): boolean => text.isWellFormed() && seen.test(text) && !unseen.test(text);
