/** What programs are told of a key or a link, and how it is quoted for each. */

import type { ConnectTool, ReadyText } from "#contract/connect";

/** What a program is told to do something; `via` is the way, where it has several. */
export interface Row extends Pick<ReadyText, "does" | "text"> {
  readonly via?: string;
  readonly file?: string;
}

export const readyFor = (tool: ConnectTool, rows: readonly Row[]): ReadyText[] =>
  rows.map(({ does, text, via = "", file = null }) => ({ tool, does, via, text, file }));

/** A path, or a slug, in an address. */
export const encoded = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** A text as one word of a POSIX shell; `it's` becomes two quoted words around an escaped quote. */
export const word = (text: string): string =>
  /^[\w:/.@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** A text as one word of PowerShell, which has `@` and `,` as operators, and takes the quotes of printers for its own. */
const powerShellWord = (text: string): string =>
  /^[\w:/.+=-]+$/.test(text) ? text : `'${text.replaceAll(/['\u2018-\u201b]/g, "$&$&")}'`;

/** A bucket for programs that speak S3, and what they call it. */
interface S3Client {
  /** In the settings of rclone. */
  readonly name: string;
  readonly endpoint: string;
  readonly region: string;
  readonly id: string;
  readonly secret: string;
  /** The bucket, and a folder in it; empty for all of them. */
  readonly target: string;
}

/** What exports the credential of a bucket to a shell. */
export const s3Environment = ({ id, secret, region }: Pick<S3Client, "id" | "secret" | "region">): string =>
  `export AWS_ACCESS_KEY_ID=${word(id)}\nexport AWS_SECRET_ACCESS_KEY=${secret}\nexport AWS_DEFAULT_REGION=${region}`;

/** rclone and the command line of AWS. */
export function s3Clients({ name, target, ...client }: S3Client, via = ""): ReadyText[] {
  const { endpoint, region, id, secret } = client;
  const rclone = [
    `rclone config create ${name} s3 provider=Other \\`,
    `  endpoint=${endpoint} region=${region} access_key_id=${word(id)} \\`,
    `  secret_access_key=${secret} force_path_style=true`,
    `rclone lsf ${word(`${name}:${target}`)}`,
  ];
  const aws = `aws --endpoint-url ${endpoint} s3 ls ${word(`s3://${target}`)}`;
  return [
    ...readyFor("rclone", [{ does: "sync", via, text: rclone.join("\n") }]),
    ...readyFor("awscli", [{ does: "list", via, text: `${s3Environment(client)}\n${aws}` }]),
  ];
}

/** A command for a shell; a word may be on a line of its own. */
type Quoting = (text: string) => string;

/** curl as a shell is told to run it. Windows has it as curl.exe, as `curl` is something else in PowerShell 5.1. */
const shells = {
  curl: { program: "curl", quote: word },
  powershell: { program: "curl.exe", quote: powerShellWord },
} as const satisfies Partial<Record<ConnectTool, { program: string; quote: Quoting }>>;

export type CurlShell = keyof typeof shells;

/** The line for curl with these words, for a shell. */
export const curlIn = (shell: CurlShell, ...words: readonly string[]): string =>
  [shells[shell].program, ...words.map(shells[shell].quote)].join(" ");
