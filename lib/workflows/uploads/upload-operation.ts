import {
  MAX_UPLOAD_BODY,
  MAX_UPLOAD_BYTES,
  MAX_UPLOAD_FILES,
  describeUploadLimit,
} from '../../domain/uploads/limits.ts';
import { Failure, invalid } from '../../shared/failure.ts';
import { parseForm } from '../../shared/web/multipart.ts';

/** The parts that upload operations share, including how they read a form. */

/** In a form, the key comes before the files, or in the header. */
export const uploadOperation = {
  access: 'write',
  needs: ['table:write', 'uploads:write'],
  maxBody: MAX_UPLOAD_BODY,
  maxValues: 1_000,
  readForm: readUploadForm,
} as const;

/** Numeric fields of the upload forms; a form sends texts. */
const numbers: ReadonlySet<string> = new Set(['ContactId', 'ProposalId', 'AppointmentId']);

function toValue(name: string, text: string): unknown {
  if (name === 'UploadIds') return text.split(',').map((id) => toValue('ContactId', id));
  return numbers.has(name) && /^\d{1,10}$/.test(text.trim()) ? Number(text) : text;
}

function parseUpload(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Invalid JSON gets the same message as another type.
  }
  throw invalid({ field: 'upload', code: 'format', message: 'must be a JSON object' });
}

/** Reverses the HTML escapes in the names of a form. */
const decodeName = (name: string): string =>
  name.replaceAll(/%(22|0D|0A)/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

/**
 * The request of an upload operation from multipart/form-data: the part `upload` is the form as JSON, its fields may
 * also be separate parts (`ContactId`, `upload.ContactId`), and every part with a file name is a file. Throws 401 if
 * the form has another key than `key`.
 */
async function readUploadForm(
  body: { readonly contentType: string; readonly body: string; readonly isBase64Encoded: boolean },
  key: string,
): Promise<Record<string, unknown>> {
  const parsed = await parseForm(body, { files: MAX_UPLOAD_FILES, bytes: MAX_UPLOAD_BYTES });
  if (parsed.kind === 'malformed') throw new Failure('invalid_body', parsed.reason);
  if (parsed.kind === 'tooLarge') throw new Failure('request_too_large', `${parsed.reason} ${describeUploadLimit}`);
  const { fields, files } = parsed.form;
  if (fields.some(([name, value]) => name === 'ApiKey' && value && value !== key))
    throw new Failure(
      'different_keys',
      'A field ApiKey of the form and the key of the call differ. Send the key once.',
    );
  const own = new Map<string, unknown>();
  for (const [name, text] of fields) {
    if (name === 'ApiKey') continue;
    const field = name.replace(/^upload\./, '');
    if (own.has(field)) throw invalid({ field: name, code: 'duplicate', message: 'must be sent only once' });
    own.set(field, field === 'upload' ? parseUpload(text) : toValue(field, text));
  }
  const { upload, ...others } = Object.fromEntries(own);
  return {
    upload: { ...(upload as object), ...others },
    files: files.map(({ filename, contentType, content }) => ({
      Filename: decodeName(filename).slice(0, 1_000).toWellFormed().replaceAll('\0', ''),
      ContentType: contentType.slice(0, 255).toWellFormed().replaceAll('\0', ''),
      Content: content.toString('base64'),
    })),
  };
}
