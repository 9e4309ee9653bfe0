/** The dialogs in which links are made, loaded as one when somebody makes one: each thing that is loaded later is named in the first script. */
export { CollectDialog } from "./collect-dialog.tsx";
export { LinkDialog } from "./link-dialog.tsx";
