import { Failure } from '../failure.ts';

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]{1,40})/i;

/** The charset that a Content-Type names, in lower case; UTF-8 without one. */
export const charsetOf = (contentType = ''): string => CHARSET.exec(contentType)?.[1]?.toLowerCase() ?? 'utf-8';

const isUtf8Name = (charset: string): boolean => charset === 'utf-8' || charset === 'utf8';

/** A decoder of the charset, which refuses bytes that are not valid in it. Throws 400 for an unknown one. */
function openDecoder(charset: string) {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch (cause) {
    throw new Failure('invalid_body', `The charset ${charset} of the Content-Type is unknown. Send UTF-8.`, { cause });
  }
}

/** The text of bytes in a charset, without its byte order mark. Throws 400 where they are not valid in it. */
export function decodeText(bytes: Uint8Array, charset: string): string {
  const decoder = openDecoder(charset);
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    const advice = isUtf8Name(charset) ? ', or name its charset in the Content-Type' : '';
    throw new Failure('invalid_body', `The body is not valid ${charset}. Send it in UTF-8${advice}.`, { cause });
  }
}
