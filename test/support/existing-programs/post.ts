/** How the programs that exist call: POST, a JSON object with the key in it, and no other header that matters. */
export type Post = (operation: string, body?: object) => Promise<Response>;

export const poster =
  (address: string, ApiKey: string): Post =>
  (operation, body = {}) =>
    fetch(`${address}/api/${operation}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...body, ApiKey }),
    });

export type Fields = Readonly<Record<string, unknown>>;

/** The answer of a program that raises for anything but 2xx. */
export async function answerOf(response: Response): Promise<Fields> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
  return JSON.parse(text) as Fields;
}
