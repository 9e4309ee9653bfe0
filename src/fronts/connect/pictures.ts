/** Files for programs that take screenshots and send them. */

import { type Row, word } from "./ready.ts";
import script from "./screenshot.sh" with { type: "text" };

/** How a program sends a file, and what of the answer it hands on. */
export interface Sending {
  /** Takes a form whose field `file` is the file, or a file below it. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  /** In the words of ShareX, which begin at the answer. */
  readonly links: { readonly URL: string; readonly DeletionURL?: string };
}

const JSON_ONLY = { Accept: "application/json" };

const hostOf = (server: string): string => new URL(server).host;

/** A name of a file; a port is none of it. */
export const fileNameOf = (server: string, rest: string): string => `${new URL(server).hostname}${rest}`;

const lines = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Of CustomUploaderItem in ShareX; older versions are not asked to understand `{json:…}`, which 14 brought. */
const shareX = (rest: Readonly<Record<string, unknown>>) => lines({ Version: "14.0.0", ...rest });
const ERROR = { ErrorMessage: "{json:message}" };

/** ShareX for pictures and files. */
export const shareXOfFiles = (server: string, { address, headers, links }: Sending): string =>
  shareX({
    ...{ Name: hostOf(server), DestinationType: "ImageUploader, FileUploader" },
    ...{ RequestMethod: "POST", RequestURL: address, Headers: { ...headers, ...JSON_ONLY } },
    ...{ Body: "MultipartFormData", FileFormName: "file", ...links, ...ERROR },
  });

/** ShareX for texts, which are shared as texts. */
export const shareXOfTexts = (server: string, { address, headers, links }: Sending): string =>
  shareX({
    ...{ Name: `${hostOf(server)} (text)`, DestinationType: "TextUploader" },
    ...{ RequestMethod: "POST", RequestURL: address, Headers: { ...headers, ...JSON_ONLY } },
    ...{ Body: "FormURLEncoded", Arguments: { text: "{input}" }, ...links, ...ERROR },
  });

/** PicGo with its plugin web-uploader. The address is that of the bytes, because documents embed it. */
export const picGo = ({ address, headers }: Sending): string =>
  lines({
    picBed: {
      uploader: "web-uploader",
      current: "web-uploader",
      "web-uploader": {
        url: address,
        paramName: "file",
        jsonPath: "raw",
        customHeader: JSON.stringify({ ...headers, ...JSON_ONLY }),
        customBody: "",
      },
    },
    picgoPlugins: { "picgo-plugin-web-uploader": true },
  });

/** A script that takes a screenshot; `login` is what the configuration of curl says of who sends it. */
export const screenshot = (server: string, to: string, login: string): Pick<Row, "text" | "file"> => ({
  text: script
    .replaceAll("@HOST@", () => hostOf(server))
    .replace("'@TO@'", () => word(to))
    .replace("@LOGIN@", () => login),
  file: "satchel-screenshot",
});
