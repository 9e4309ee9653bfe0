// In one file, because each page that loads by itself costs every page its name.
export { GlobalSettings } from "./global.tsx";
export { PreviewSettings } from "./preview.tsx";
export { WebDavSettings } from "./webdav.tsx";
