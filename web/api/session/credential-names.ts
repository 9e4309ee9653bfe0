/** The names under which a session is stored: those that clients made for CloudPaste use. */
export const ADMIN = { token: "admin_token", name: "admin_username" } as const;
export const KEY = { key: "api_key", permissions: "api_key_permissions", info: "api_key_info" } as const;
