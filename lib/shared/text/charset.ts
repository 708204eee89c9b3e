import { Failure } from '../failure.ts';

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]{1,40})/i;

/** The charset that a Content-Type names, in lower case; UTF-8 if it names none. */
export const charsetOf = (contentType = ''): string => CHARSET.exec(contentType)?.[1]?.toLowerCase() ?? 'utf-8';

const isUtf8Name = (charset: string): boolean => charset === 'utf-8' || charset === 'utf8';

/** A decoder that rejects bytes that are invalid in the charset. Throws 400 for an unknown charset. */
function openDecoder(charset: string) {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch (cause) {
    throw new Failure('invalid_body', `The charset ${charset} of the Content-Type is unknown. Send UTF-8.`, { cause });
  }
}

/** Decodes bytes and drops the byte order mark. Throws 400 if they are invalid in the charset. */
export function decodeText(bytes: Uint8Array, charset: string): string {
  const decoder = openDecoder(charset);
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    const advice = isUtf8Name(charset) ? ', or name its charset in the Content-Type' : '';
    throw new Failure('invalid_body', `The body is not valid ${charset}. Send it in UTF-8${advice}.`, { cause });
  }
}
