import type { Shape } from "../shape.ts";
import type { shell as zh } from "../zh/shell.ts";

/** Words of the frame around every page, and of the components that all pages use. */
export const shell: Shape<typeof zh> = {
  brand: "{{site}}",
  skip: "Skip to content",
  nav: {
    label: "Main",
    home: "Home",
    upload: "Upload",
    explorer: "Explorer",
    admin: "Admin",
    source: "Source code",
    open: "Open menu",
    close: "Close menu",
  },
  language: "Language",
  theme: { auto: "Theme: follows the system", light: "Theme: light", dark: "Theme: dark" },
  footer: "© {{year}} {{site}}",
  titles: {
    home: "{{site}} · Online clipboard",
    paste: "Shared text · {{site}}",
    file: "Shared file · {{site}}",
    link: "Shared files · {{site}}",
    admin: "Admin · {{site}}",
    upload: "Upload files · {{site}}",
    explorer: "Explorer · {{site}}",
  },
  lazy: {
    title: "This page did not load",
    text: "This page is temporarily unavailable, please check the network.",
    retry: "Try again",
    back: "Back",
    loading: "Loading…",
  },
  broken: {
    title: "Something went wrong on this page",
    text: "Please reload the page.",
    reload: "Reload",
  },
  signedIn: {
    text: "You are signed in and can share right away. Set your own password soon.",
    account: "Set a password",
    dismiss: "Got it",
  },
  signedOut: {
    expired: "Your admin session has expired, please sign in again.",
    keyInvalid: "API key invalid or expired, please sign in again.",
    unauthorized: "You are not authorized, please sign in again.",
  },
  wait: {
    seconds: "Too many attempts. Try again in {{seconds}} s.",
    minutes: "Too many attempts. Try again in {{minutes}} min.",
  },
  rawName: "This name is not valid UTF-8.",
  actions: {
    showMore: "Show more",
    copied: "Copied",
    copyFailed: "Could not copy; please select it by hand",
    close: "Close",
    cancel: "Cancel",
    showPassword: "Show password",
    hidePassword: "Hide password",
    downloadQr: "Download PNG",
    qrLabel: "QR code of the link",
    retry: "Try again",
  },
  failure: {
    network: "The server cannot be reached. Check your connection and try again.",
    queued: "The server cannot be reached. The change is kept on this device and sent once it can.",
    timeout: "The server took too long to answer. Please try again.",
    aborted: "The request was cancelled.",
    unknown: "The server's answer could not be understood. Please try again.",
  },
};
