/** Viewers of office files on servers of others. `url` becomes the address of the file. */
const templates = {
  microsoft: "https://view.officeapps.live.com/op/embed.aspx?src={url}",
  google: "https://docs.google.com/viewer?url={url}&embedded=true",
} as const;

export type ProviderName = keyof typeof templates;

export const providerNames = Object.keys(templates) as ProviderName[];

/** The address of a file in the viewer of a provider. */
export const viewerAddress = (provider: ProviderName, url: string): string =>
  templates[provider].replace("{url}", encodeURIComponent(url));
