import type { Shape } from "../shape.ts";
import type { importing as zh } from "../zh/import.ts";

/** The import of backups of other programs. */
export const importing: Shape<typeof zh> = {
  title: "Import",
  source: "CloudPaste backup",
  sourceText:
    "Make a full backup in CloudPaste's admin area. Its JSON file holds every password and key: keep it private, and delete it afterwards.",
  pingvin:
    "Coming from Pingvin Share? Run satchel import on the server with its data folder: links, passwords and files come along.",
  choose: "Choose a backup",
  chooseOther: "Choose another file",
  none: "You will see a report first. It changes nothing.",
  tooLarge: "Up to {{size}} can be imported here. For a larger backup, run satchel import on the server.",
  private: {
    legend: "Texts that were not public",
    protect: "Lock",
    skip: "Leave out",
    protectText: "They get a password that nobody knows, until you set a new one.",
    skipText: "They are not imported, and named in the report.",
  },
  reading: "Checking the backup",
  readingText: "The server reads the file. Nothing is changed.",
  cancel: "Cancel",
  planTitle: "What would be imported",
  doneTitle: "What was imported",
  made: "Backup of {{when}}.",
  schema: "Schema {{schema}}.",
  unchecked: "The backup has no checksum, so it cannot be verified as complete.",
  columns: {
    kind: "Kind",
    rows: "In backup",
    adds: "Would add",
    added: "Added",
    present: "Already here",
    left: "Left out",
  },
  left: "{{rows}} left out: {{text}}",
  changed: "{{rows}} changed: {{text}}",
  comma: ", ",
  more: ", …",
  tables: "Tables that are left out",
  table: "{{table}} ({{rows}}): {{text}}",
  ready: "Importing only adds. What is already here stays as it is.",
  nothing: "There is nothing to add.",
  run: "Import",
  running: "Importing…",
  progress: "Importing {{kind}}: {{done}} of {{all}}",
  stop: "Stop",
  stopped: "Stopped. What was imported stays; another import completes it, without doubles.",
  repeat: "What was imported stays; another import completes it, without doubles.",
  done: "Imported. The files stay in their storages: test each storage, then delete the backup.",
};
