import { MAX_UPLOAD_BYTES, MAX_UPLOAD_FILES, describeUploadLimit } from '../../domain/uploads/limits.ts';
import { Failure, invalid } from '../../shared/failure.ts';
import { parseForm } from '../../shared/web/multipart.ts';

/** Fields of the upload forms that are numbers; a form sends texts. */
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
    // The same message as for another type.
  }
  throw invalid({ field: 'upload', message: 'must be a JSON object' });
}

/** What HTML escapes in the names of a form. */
const decodeName = (name: string): string =>
  name.replaceAll(/%(22|0D|0A)/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

/**
 * The request of an upload operation from multipart/form-data: the part `upload` is the form as JSON, its fields may
 * also be parts of their own (`ContactId`, `upload.ContactId`), and every part with a file name is a file.
 */
export async function readUploadForm(body: {
  readonly contentType: string;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}): Promise<Record<string, unknown>> {
  const parsed = await parseForm(body, { files: MAX_UPLOAD_FILES, bytes: MAX_UPLOAD_BYTES });
  if (parsed.kind === 'malformed') throw new Failure(400, parsed.reason);
  if (parsed.kind === 'tooLarge') throw new Failure(413, `${parsed.reason} ${describeUploadLimit}`);
  const { fields, files } = parsed.form;
  const sent = fields.filter(([name]) => name !== 'ApiKey');
  const upload = sent.filter(([name]) => name === 'upload').map(([, text]) => parseUpload(text));
  const own = sent
    .filter(([name]) => name !== 'upload')
    .map(([name, text]) => {
      const field = name.replace(/^upload\./, '');
      return [field, toValue(field, text)];
    });
  return {
    upload: { ...Object.assign({}, ...upload), ...(Object.fromEntries(own) as object) },
    files: files.map(({ filename, contentType, content }) => ({
      Filename: decodeName(filename).slice(0, 1_000).toWellFormed().replaceAll('\0', ''),
      ContentType: contentType.slice(0, 255).toWellFormed().replaceAll('\0', ''),
      Content: content.toString('base64'),
    })),
  };
}
