import { Failure } from "#contract/failures";
import { MAX_SETTING_CHARACTERS } from "#contract/limits";
import type { SettingDeclaration } from "./groups.ts";

/**
 * The text under which a setting keeps what somebody sent, which may be a text, a number or a switch. 400 setting.number,
 * setting.wholeNumber, setting.switch, setting.option, setting.extensions.
 */
export function settingText(declaration: SettingDeclaration, sent: unknown): string {
  const isText = typeof sent === "string" || typeof sent === "number" || typeof sent === "boolean";
  return readers[declaration.type](isText ? String(sent).trim() : NO_TEXT, declaration);
}

/** Stands for what is no text at all: no reader accepts it, while an empty text is a list of nothing. */
const NO_TEXT = "\0";

type Reader = (text: string, declaration: SettingDeclaration) => string;

const readers: Readonly<Record<SettingDeclaration["type"], Reader>> = {
  number(text, { least = 0, most = Number.MAX_SAFE_INTEGER, whole = false }) {
    const value = Number(text);
    const fits = value >= least && value <= most && (!whole || Number.isInteger(value));
    if (!/^\d{1,15}(\.\d{1,9})?$/.test(text) || !fits)
      throw new Failure(whole ? "setting.wholeNumber" : "setting.number", { least, most });
    return String(value);
  },

  bool(text) {
    if (text === "true" || text === "1") return "true";
    if (text === "false" || text === "0") return "false";
    throw new Failure("setting.switch");
  },

  select(text, { options = [] }) {
    if (!options.includes(text)) throw new Failure("setting.option", { options: options.join(", ") });
    return text;
  },

  textarea(text) {
    const endings = text.toLowerCase().split(/[,，\s]+/);
    const named = endings.filter((ending) => ending !== "");
    if (text.length > MAX_SETTING_CHARACTERS || !named.every((ending) => /^[a-z0-9]+$/.test(ending)))
      throw new Failure("setting.extensions");
    return [...new Set(named)].join(",");
  },
};
