/** Where WebDAV is: on the server of the API, which is mostly that of the page. */
export const davAddress = (): URL => new URL("/dav", window.appConfig?.backendUrl || window.location.origin);

/** The same as file managers of GNOME write it. */
export const gnomeAddress = ({ protocol, host, pathname }: URL): string =>
  `${protocol === "https:" ? "davs" : "dav"}://${host}${pathname}`;
