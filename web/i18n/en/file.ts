import type { Shape } from "../shape.ts";
import type { file as zh } from "../zh/file.ts";

/** A shared file: its page, and the form that changes it. */
export const file: Shape<typeof zh> = {
  view: {
    actions: "Actions",
    download: "Download",
    share: "Share",
    copiedInstead: "Link copied",
    copyLink: "Copy link",
    copyDirect: "Copy direct link",
    qr: "QR code",
    edit: "Edit",
    remove: "Delete",
    uploaded: "uploaded {{time}}",
    views: "views: {{views}}",
    viewsOf: "views: {{views}} of {{max}}",
    enlarge: "Enlarge {{name}}",
    content: "Text",
    blank: "There is no text in this file.",
    tooLarge: "This file is large, so it is not shown here. Download it to open it.",
    spends: "You changed this share: from now on, each download from here uses up a view.",
    spent: "All views are used up: nobody can open this link any more.",
    imageFailed: "The browser cannot show this picture. Download it to open it.",
    unplayable: "The browser cannot play this format. Download it to open it.",
    unreadable: "The file's text did not arrive. Try again, or download it.",
    lostTitle: "The file is not there any more",
    lostText: "The link still exists, but its file has gone from the storage. Ask whoever shared it.",
  },
  provider: { builtIn: "Built-in disk", other: "Other S3 storage" },
  kind: {
    unknown: "file",
    folder: "folder",
    video: "video",
    audio: "audio",
    text: "text",
    image: "image",
    office: "document",
    document: "document",
  },
  kindOf: "{{ending}} {{kind}}",
  remove: {
    title: "Delete this file?",
    text: "“{{name}}” and its link stop working at once. They cannot be brought back.",
  },
  removed: {
    title: "Deleted",
    text: "“{{name}}” and its link are gone.",
    upload: "Upload another file",
  },
  form: {
    title: "Edit file share",
    name: "File name",
    useProxy: "Serve through this server",
  },
};
