/** The forms of a text that differ by `count`, as Intl.PluralRules names them: "1 item", "2 items". */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & Record<"other", string>>;

/** A text in another language: in several forms where that language counts and the text has a count. */
type Text<Original> = "count" extends Variables<Original> ? string | Plural : string;

/** The shape of a dictionary: the same keys at every level, with any text as leaves. */
export type Shape<Words> = {
  readonly [Key in keyof Words]: Words[Key] extends string ? Text<Words[Key]> : Shape<Words[Key]>;
};

/** The dotted names of all leaves: "home.create". */
export type Leaves<Words, Prefix extends string = ""> = {
  [Key in keyof Words & string]: Words[Key] extends string ? `${Prefix}${Key}` : Leaves<Words[Key], `${Prefix}${Key}.`>;
}[keyof Words & string];

/** The text at a dotted name. */
export type TextAt<Words, Key extends string> = Key extends `${infer Head}.${infer Rest}`
  ? Head extends keyof Words
    ? TextAt<Words[Head], Rest>
    : never
  : Key extends keyof Words
    ? Words[Key]
    : never;

/** The names between {{ and }} in a text. */
export type Variables<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}` ? Name | Variables<Rest> : never;
