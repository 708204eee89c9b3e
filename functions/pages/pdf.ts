import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { PageAnswer } from '../../lib/api/http/client-route.ts';
import { pdfPrefix } from '../../lib/files/pdfs.ts';
import { writeLogLine } from '../../lib/api/log-lines.ts';
import type { ClientPdf } from '../../lib/pages/pdf/document.ts';
import { type Json, canonical } from '../../lib/shared/objects.ts';
import { SECOND } from '../../lib/shared/time/time.ts';
import type { LoadedPage } from '../../lib/workflows/pages/load-company.ts';
import type { PageCall } from './page.ts';

/** How long a client waits for the file store: a PDF can be made without it. */
const PATIENCE = 2 * SECOND;

/**
 * The version of the function, because another version may have other texts or another layout. Without a published
 * version, processes cannot tell whether they are the same, so each makes its own PDFs.
 */
const { AWS_LAMBDA_FUNCTION_VERSION: published = '$LATEST' } = process.env;
const maker = published === '$LATEST' ? randomUUID() : published;

/** Identifies everything in the PDF; a logo by the hash in its path. */
function keyOf(call: PageCall, { view, country }: Pick<LoadedPage<object>, 'view' | 'country'>): string {
  const { account, page, id } = call.context.target;
  const shown = { maker, language: call.frame().wording.language, country, view };
  const values = JSON.stringify(shown, (_, value: unknown) => (value instanceof Map ? [...value] : value));
  const hash = createHash('sha256')
    .update(canonical(JSON.parse(values) as Json))
    .digest('hex');
  return `${pdfPrefix(account, page, id)}${hash}.pdf`;
}

/** The PDF of a page, made once and shared by all requests for the same content while the file store has it. */
export async function pdfAnswer(
  call: PageCall,
  loaded: LoadedPage<object>,
  make: () => Promise<ClientPdf>,
): Promise<PageAnswer> {
  const { openFiles } = await import('../../lib/files/s3.ts');
  const [files, key] = [openFiles(), keyOf(call, loaded)];
  const found = await tried(call, files.getBytes(key));
  if (found.result) return answer(Buffer.from(found.result));
  const { content, missing } = await make();
  if (missing.length > 0) warnOfMissing(call, missing);
  if (!found.isAway) await tried(call, files.putBytes(key, content, 'application/pdf'));
  return answer(content);
}

const answer = (body: Buffer): PageAnswer => ({
  status: 200,
  body,
  type: 'application/pdf',
  headers: { 'Content-Disposition': 'inline' },
});

/** The result of the file store, or that it is unavailable: it failed, or took longer than a client waits. */
async function tried<Result>(
  call: PageCall,
  request: Promise<Result>,
): Promise<{ readonly result?: Result; readonly isAway: boolean }> {
  const over = new AbortController();
  const timeUp = wait(PATIENCE, undefined, { signal: over.signal }).then(() => {
    throw new Error(`The store of files takes longer than ${PATIENCE} ms.`);
  });
  try {
    return { result: await Promise.race([request, timeUp]), isAway: false };
  } catch (error) {
    warn(call, { Message: 'A PDF is not kept.', Reason: String(error) });
    return { isAway: true };
  } finally {
    over.abort();
  }
}

/** Logs letters that no font has and that are boxes in a PDF, so that a font can be added. */
function warnOfMissing(call: PageCall, missing: readonly string[]): void {
  const Letters = missing.slice(0, 20).map((letter) => `U+${letter.codePointAt(0)?.toString(16).toUpperCase()}`);
  warn(call, { Message: 'No font has these letters of a PDF.', Letters });
}

function warn({ context }: PageCall, facts: Readonly<Record<string, unknown>>): void {
  writeLogLine({ Level: 'warn', RequestId: context.requestId, Account: context.target.account, ...facts });
}
