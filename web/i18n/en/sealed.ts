import type { Shape } from "../shape.ts";
import type { sealed as zh } from "../zh/sealed.ts";

/** The page of a sealed share: what opens it, what hinders that, and what it says when it is open. */
export const sealed: Shape<typeof zh> = {
  title: "Sealed share",
  opening: "{{come}} of {{whole}} opened…",
  copyText: "Copy text",
  tooLarge:
    "This browser cannot open so large a file on a page. Open it with the two lines below, or try another browser.",
  noViewer: "It is open, but there is no viewer for this kind of file. Download it to use it.",
  office: "Sealed: an online viewer cannot fetch it. Download it to open it.",
  mark: {
    link: "Sealed: only people with the link can read it. The server cannot.",
    password: "Sealed: only people with the password can read it. The server cannot.",
  },
  key: {
    title: "The key is missing",
    wrongTitle: "The key does not fit",
    label: "Link or key",
    text: "Paste the whole link that you were given, with everything behind the #, or the key alone.",
  },
  password: {
    text: "It was sealed with a password. Try as often as you like: no further view is used up.",
  },
  noCrypto: {
    title: "This page cannot open it",
    text: "Browsers open sealed shares over https only. Open this link by https, or use the two lines below.",
  },
  tools: {
    title: "Open without this page",
    text: "With curl and age (age-encryption.org), in a terminal:",
    copy: "Copy line",
    spends: "If its views are limited, the first line uses one up.",
  },
  inTree: {
    title: "This file is sealed",
    text: "Give the key that it was sealed to, or its password. It opens in this browser, and opens other sealed files for ten minutes.",
    label: "Key or password",
    open: "Sealed in the storage, opened in this browser.",
    download: "Download {{name}}",
    forget: "Forget the key",
    passkeyWrong: "This passkey’s key does not open this file. Enter the key the file was sealed for.",
    otherRecipient:
      "The link “{{name}}” to this folder seals for a different key: {{letters}}. If you did not choose that key, delete the link and make a new one.",
  },
  failure: {
    wrongKey: "This key does not open it. Check that the link was copied whole.",
    damaged: "It is damaged: it is not what its sender sealed. Ask for it to be sent again.",
    truncated: "Its end is missing. Ask for it to be sent again.",
    notAge: "It is not in the format of sealed files (age). Ask for it to be sent again.",
    tooManyStanzas: "It names more keys than any share needs, so it was not opened.",
    tooMuchWork: "Checking its password would be too much work for a browser. Use the two lines below.",
    unreachable: "It did not arrive. Check your connection, then try again.",
  },
};
