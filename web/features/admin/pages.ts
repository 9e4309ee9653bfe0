// The pages of the admin area load together: they are made of the same parts, and each file that is loaded by itself costs every
// page its name.
export { Account } from "./account/account.tsx";
export { Dashboard } from "./dashboard/dashboard.tsx";
export { Files } from "./files/files.tsx";
export { Import } from "./import/import.tsx";
export { Keys } from "./keys/keys.tsx";
export { Links } from "./links/links.tsx";
export { Mounts } from "./mounts/mounts.tsx";
export { Notifications } from "./notifications/notifications.tsx";
export { BackupSettings } from "./settings/backup/backup.tsx";
export { GlobalSettings } from "./settings/global/global.tsx";
export { PreviewSettings } from "./settings/preview.tsx";
export { SharingSettings } from "./settings/sharing.tsx";
export { SiteSettings } from "./settings/site.tsx";
export { WebDavSettings } from "./settings/webdav.tsx";
export { Storages } from "./storages/storages.tsx";
export { System } from "./system/system.tsx";
export { Texts } from "./texts/texts.tsx";
export { Visitors } from "./visitors/visitors.tsx";
