/** Reads application/x-www-form-urlencoded in any charset. */

/** Decodes `%E9` to one byte; `URLSearchParams` assumes UTF-8 whatever the charset, and replaces invalid bytes. */
const percentDecoded = (text: string): Buffer =>
  Buffer.from(
    text
      .replaceAll('+', ' ')
      .replaceAll(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16))),
    'latin1',
  );

/** The names and values of `name=value` fields, whose characters are bytes. */
export const parseFormFields = (
  fields: readonly string[],
  decodeBytes: (bytes: Uint8Array) => string,
): [name: string, value: string][] =>
  fields.filter(Boolean).map((field) => {
    const equals = field.indexOf('=');
    const [name, value] = equals < 0 ? [field, ''] : [field.slice(0, equals), field.slice(equals + 1)];
    return [decodeBytes(percentDecoded(name)), decodeBytes(percentDecoded(value))];
  });
