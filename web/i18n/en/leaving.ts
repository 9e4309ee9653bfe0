import type { Shape } from "../shape.ts";
import type { leaving as zh } from "../zh/leaving.ts";

/** The way out, and the question before a sign-out that would lose something. */
export const leaving: Shape<typeof zh> = {
  elsewhere: "Other programs",
  logOut: "Log out",
  as: "Signed in with the key “{{name}}”",
  uploads: {
    title: "Stop the uploads and log out?",
    text: "Files are still on their way. Logging out stops them, and what has arrived of them is deleted.",
    confirm: "Stop and log out",
    stay: "Keep uploading",
  },
  changes: {
    title: "Discard pending changes and log out?",
    text: "Changes that were made offline have not been sent yet. Logging out deletes them from this device.",
    confirm: "Delete and log out",
    stay: "Stay signed in",
  },
  draft: {
    title: "Delete the draft and log out?",
    text: "The text on the home page has not been shared yet. Logging out deletes it from this browser.",
    confirm: "Delete and log out",
    stay: "Stay signed in",
  },
};
