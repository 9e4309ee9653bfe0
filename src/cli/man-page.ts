import { version } from "../../package.json";
import { rows, variables } from "./commands.ts";
import { flagOf, meaningOf, optionNames, usageOf } from "./help.ts";

/** A text in the language of man(7), where a backslash, a hyphen and a dot at the start of a line have a meaning. */
const escaped = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^([.'])/gm, "\\&$1");

const item = (term: string, text: string): string => `.TP\n.B ${escaped(term)}\n${escaped(text)}`;

/** The manual page satchel(1) in the language of man(7), made from the table of commands, with the key that signs releases. */
export function manPage(releaseKey?: string): string {
  return `.TH SATCHEL 1 "" "satchel ${version}" "User commands"
.SH NAME
satchel \\- online clipboard and file share
.SH SYNOPSIS
${rows.map((command) => `.B satchel ${escaped(usageOf(command))}\n.RI [ option ...]`).join("\n.br\n")}
.SH DESCRIPTION
Satchel shares texts and files by short links with password, expiry and a limit of views.
It keeps everything in one folder and serves pages, an API, WebDAV and S3 at one address.
.SH COMMANDS
${rows.map((command) => item(usageOf(command), command.summary)).join("\n")}
.SH OPTIONS
${optionNames.map((name) => item(flagOf(name), meaningOf(name))).join("\n")}
.SH ENVIRONMENT
A variable that is a secret may be in a file, which the variable of the same name with _FILE names.
${variables.map(({ name, summary, secret }) => item(name, secret ? `${summary} A secret.` : summary)).join("\n")}
.SH EXIT STATUS
0, or 1 when the command failed or the server is not ready; the reason is on the error output.
${releaseKey === undefined ? "" : `.SH AUTHENTICITY\nThe file SHA256SUMS of each release is signed by minisign with this key:\n.PP\n.B ${escaped(releaseKey)}\n`}`;
}
