/** A JSON body, sent with a session when there is one. */
export const json = (body: unknown, token?: string): RequestInit => ({
  method: "POST",
  body: JSON.stringify(body),
  headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
});

/** The session of the administrator at a server that runs. */
export async function signIn(address: string, password: string): Promise<string> {
  const answer = await fetch(`${address}/api/admin/login`, json({ username: "admin", password }));
  return ((await answer.json()) as { data: { token: string } }).data.token;
}
