import type { Shape } from "../shape.ts";
import type { connect as zh } from "../zh/connect.ts";

/** How programs use a key or a link. */
export const connect: Shape<typeof zh> = {
  how: "Use it with",
  program: {
    screenshot: "Screenshot script",
    shortcut: "iOS Shortcut",
    windows: "Windows drive",
  },
  does: {
    install: "Install it",
    shareText: "Share a text",
    shareFile: "Share a file",
    sharePicture: "Share a picture",
    collect: "Collect files",
    list: "List the content",
    upload: "Upload a file",
    send: "Send a file",
    check: "Check the key",
    drive: "Mount as a drive",
    sync: "Copy and sync",
    backup: "Back up",
    browse: "Browse files",
    assist: "Add to an assistant",
  },
  hint: {
    satchel: "A small program for any POSIX shell. It keeps the key in a file that only you can read.",
    powershell: "With curl.exe, which is part of Windows.",
    sharex: "Open the file on a PC with ShareX, which adds it as a destination.",
    picgo:
      "Needs PicGo's plugin web-uploader. This is a whole config.json; you can also enter the values of web-uploader in PicGo's window.",
    screenshot:
      "A script that takes a screenshot with Flameshot, Spectacle or macOS and sends it. Make it executable (chmod u=rwx,go=) and give it a keyboard shortcut.",
    shortcut:
      "iPhones and iPads import only shortcuts that Apple's own tool has signed, so you build this one by hand, once.",
    vscode: "Save it as .vscode/mcp.json in a project, or add it to your own mcp.json (MCP: Open User Configuration).",
    cursor: "Save it as mcp.json in ~/.cursor for all projects, or in a project's .cursor folder.",
  },
  fact: {
    address: "Address",
    user: "Username",
    password: "Password",
    copy: "Copy: {{name}}",
  },
  shortcut: {
    make: "In the Shortcuts app, create a shortcut. In its details, turn on “Show in Share Sheet” and have it receive images and files.",
    request: "Add the action “Get Contents of URL” with the URL {{address}}, show more, and set Method to POST.",
    header: "Under Headers, add {{header}} with the key as its text.",
    body: "Set Request Body to Form and add a field of type File: key {{field}}, value “Shortcut Input”.",
    copy: "Add the action “Copy to Clipboard”. Share a file from any app to this shortcut, and its link is copied.",
    show: "Add the action “Show Content”. Share a file from any app to this shortcut, and it is sent here.",
    copyAddress: "Copy address",
    copyKey: "Copy key",
    qr: "QR code of the address",
    noSecret: "The QR code holds the address only, never the key. Bring the key to the phone in a safe way.",
    scan: "Scan the QR code to have the address on the phone.",
  },
  key: {
    label: "Key",
    safe: "Anyone with this key has its permissions, so keep it safe.",
    title: "Use “{{name}}”",
    copy: "Copy key",
    anyUser: "Any, such as key",
    theKey: "The key above",
    inFile: "The file contains the key, so treat it like the key.",
    finder: "Go › Connect to Server, with this address",
    tooShort: "This key has fewer than {{minSecret}} characters, so it cannot sign S3 requests. Make a longer one.",
    done: "Done",
  },
  save: "Save {{file}}",
  copy: "Copy: {{does}} ({{name}})",
};
