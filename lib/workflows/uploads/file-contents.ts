import type { PendingUpload, UploadRecord } from '../../entities/uploads.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import { type Inspection, MAX_INSPECTED_BYTES, inspectFile, refusedName } from '../../domain/uploads/inspect-file.ts';
import { MAX_ANNOUNCED_BYTES } from '../../domain/uploads/limits.ts';
import { incomingFileKey, sentFileKey } from '../../domain/uploads/record.ts';
import type { Files } from '../../files/s3.ts';
import type { UploadFile } from '../../resources/contacts.ts';
import { mapWithConcurrency } from '../../shared/promises.ts';
import { formatInteger } from '../../shared/text/text.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { type FieldError, Failure, conflict, invalid, notFound } from '../../shared/failure.ts';
import { randomHandle, reserveIds } from '../../store/dynamodb/records.ts';
import { DAY, HOUR, SECOND } from '../../shared/time/time.ts';
import { announcedBytesChange, findAnnouncedBytes, findPendingUploads, findUploads } from '../../store/uploads.ts';
import type { WriteContext } from '../context.ts';

/** The owner of a call's files. */
export interface UploadOwner {
  readonly contact: ContactRecord;
  readonly proposal: ProposalRecord | undefined;
  readonly AppointmentId: number | null;
  readonly Notes: string;
}

const HANDLE_LENGTH = 22;
/** Concurrent requests to the bucket. */
const CONCURRENCY = 4;
/** How long an address accepts a file. */
const SEND_SECONDS = HOUR / SECOND;

type Undo = () => Promise<void>;

/** Opens the bucket. Its client is loaded only by calls with files. */
async function openBucket(): Promise<Files> {
  const { openFiles } = await import('../../files/s3.ts');
  return openFiles();
}

/** Runs work on the bucket. Throws 503 if the bucket does not answer, and passes a Failure on. */
async function inBucket<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure('unavailable', 'The store of files does not answer. Nothing was changed. Try again.', {
      headers: { 'Retry-After': '1' },
      cause,
    });
  }
}

/** Removes what was put. Anything that remains expires within a day. */
const removing =
  (files: Files, keys: readonly string[]): Undo =>
  async () => {
    await Promise.allSettled(keys.map((key) => files.remove(key)));
  };

/** The owner fields in the record of a file. */
const ownerFields = ({ contact, proposal, AppointmentId, Notes }: UploadOwner) => ({
  OrganizationId: proposal?.OrganizationId ?? contact.OrganizationId,
  ContactId: contact.Id,
  ProposalId: proposal?.Id ?? null,
  AppointmentId,
  Notes,
});

type Accepted = Extract<Inspection, { kind: 'accepted' }>;

/** The record of an inspected file. */
function toRecord(
  owner: UploadOwner,
  { Filename, ContentType, IsPicture, Width, Height }: Accepted,
  { Id, Bytes }: { readonly Id: number; readonly Bytes: number },
  now: Date,
): UploadRecord {
  return {
    Id,
    ...ownerFields(owner),
    Filename,
    ContentType,
    Bytes,
    IsPicture,
    Width,
    Height,
    Handle: randomHandle(HANDLE_LENGTH),
    IsKept: false,
    Secret: randomHandle(HANDLE_LENGTH),
    Queue: 'copies',
    Created: now.getTime(),
    Updated: now.getTime(),
    V: 0,
  };
}

const fileError = (field: string, name: string, reason: string): FieldError => ({
  field,
  code: 'format',
  message: [
    `${JSON.stringify(name.slice(0, 100))} ${reason}.`,
    'Programs, scripts, HTML, SVG and empty files are not stored',
  ].join(' '),
});

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** A file of the request with its index there. */
interface IndexedFile {
  readonly file: UploadFile;
  readonly index: number;
}

/** Puts the content of files under incoming/. Throws invalid for files that may not be stored, before any is put. */
export async function storeFiles(
  owner: UploadOwner,
  indexed: readonly IndexedFile[],
  { store, now }: WriteContext,
): Promise<{ uploads: UploadRecord[]; undo: Undo }> {
  if (!indexed.length) return { uploads: [], undo: async () => undefined };
  const decoded = indexed.map(({ file, index }) => ({ file, index, content: decode(file, `files[${index}]`) }));
  const inspected = await Promise.all(
    decoded.map(async ({ file, index, content }) => {
      const inspection = await inspectFile(file.Filename ?? '', content);
      return inspection.kind === 'refused'
        ? { error: fileError(`files[${index}]`, file.Filename ?? '', inspection.reason) }
        : { inspection, content };
    }),
  );
  const errors = inspected.flatMap(({ error }) => error ?? []);
  if (errors.length) throw invalid(...errors);
  const accepted = inspected.flatMap(({ inspection, content }) => (inspection ? [{ inspection, content }] : []));
  const ids = await reserveIds(store, 'Upload', accepted.length);
  const uploads = accepted.map(({ inspection, content }, index) =>
    toRecord(owner, inspection, { Id: ids[index] ?? 0, Bytes: content.length }, now),
  );
  const files = await openBucket();
  const keys = uploads.map((upload) => incomingFileKey(store.account, upload));
  const undo = removing(files, keys);
  const put = async (key: string, index: number) => {
    const { content = new Uint8Array(), inspection } = accepted[index] ?? {};
    await files.putBytes(key, content, inspection?.ContentType ?? '');
  };
  await undoing(undo, () => inBucket(() => mapWithConcurrency(keys, CONCURRENCY, put)));
  return { uploads, undo };
}

export async function undoing<Result>(undo: Undo, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await undo();
    throw error;
  }
}

/** The content of a file. Throws invalid if it is not base64. */
function decode({ Content, Size }: UploadFile, field: string): Buffer {
  const text = (Content ?? '').replaceAll(/[\r\n]/g, '');
  const padding = text.indexOf('=');
  if (!BASE64.test(text) || (padding < 0 ? text.length : padding) % 4 === 1)
    throw invalid({ field: `${field}.Content`, code: 'format', message: 'must be base64' });
  const content = Buffer.from(text, 'base64');
  if (Size && Size !== content.length)
    throw invalid({
      field: `${field}.Size`,
      code: 'mismatch',
      message: `must be the bytes of Content, ${content.length}`,
    });
  return content;
}

const TYPE = /^[a-z0-9][\w.+-]{0,80}\/[a-z0-9][\w.+-]{0,80}$/i;

/**
 * The change that counts the bytes of announced files. Throws 429 if a key or an account would announce too many in a
 * day.
 */
export async function countAnnounced(
  files: readonly UploadFile[],
  { store, caller: { keyId }, now }: WriteContext,
): Promise<readonly Change[]> {
  const announced = files.filter(({ Content }) => !Content);
  if (!announced.length) return [];
  const announcer = { keyId, now };
  const bytes = announced.reduce((sum, { Size }) => sum + (Size ?? 0), 0);
  const before = await findAnnouncedBytes(store, announcer);
  for (const who of ['key', 'account'] as const)
    if (before[who] + bytes > MAX_ANNOUNCED_BYTES[who]) {
      const most = formatInteger(MAX_ANNOUNCED_BYTES[who]);
      const used = formatInteger(before[who]);
      const sentence = `This ${who} may announce files of ${most} bytes a day (UTC) and has ${used}.`;
      const seconds = Math.ceil((DAY - (now.getTime() % DAY)) / SECOND);
      throw new Failure('daily_limit', `${sentence} Nothing was changed. Announce the others tomorrow.`, {
        headers: { 'Retry-After': String(seconds) },
      });
    }
  return [announcedBytesChange(store, announcer, bytes)];
}

/** Addresses at which their sender uploads files to the bucket. */
export async function announceFiles(
  owner: UploadOwner,
  announced: readonly UploadFile[],
  { store }: WriteContext,
): Promise<{ upload: PendingUpload; url: string }[]> {
  if (!announced.length) return [];
  const errors = announced.flatMap(({ Filename }): FieldError[] => {
    const reason = refusedName(Filename ?? '');
    return reason ? [fileError('files', Filename ?? '', reason)] : [];
  });
  if (errors.length) throw invalid(...errors);
  const ids = await reserveIds(store, 'Upload', announced.length);
  const files = await openBucket();
  return inBucket(() =>
    Promise.all(
      announced.map(async ({ Filename, ContentType, Size }, index) => {
        const type = ContentType ?? '';
        const upload = {
          Id: ids[index] ?? 0,
          ...ownerFields(owner),
          Filename: Filename ?? '',
          Bytes: Size ?? 0,
          ContentType: TYPE.test(type) ? type : 'application/octet-stream',
          Handle: randomHandle(HANDLE_LENGTH),
        };
        const { Bytes: bytes, ContentType: contentType } = upload;
        const url = await files.signPut(sentFileKey(store.account, upload), { bytes, contentType }, SEND_SECONDS);
        return { upload, url };
      }),
    ),
  );
}

interface ConfirmedFile {
  readonly pending: PendingUpload;
  readonly upload: UploadRecord;
}

/**
 * Checks announced files that were sent. Each is first copied to a key that its address cannot reach, so that the
 * checked content is the stored one. Files that are already stored (`known`) do not change.
 */
export async function confirmFiles(
  owner: UploadOwner,
  ids: readonly number[],
  { store, now }: WriteContext,
): Promise<{ confirmed: ConfirmedFile[]; known: UploadRecord[]; undo: Undo }> {
  const [pending, stored] = await Promise.all([findPendingUploads(store, ids, now), findUploads(store, ids)]);
  const isOwned = ({ ContactId, ProposalId }: PendingUpload | UploadRecord) =>
    ContactId === owner.contact.Id && ProposalId === (owner.proposal?.Id ?? null);
  const known = stored.filter(isOwned);
  const waiting = pending.filter((upload) => isOwned(upload) && !known.some(({ Id }) => Id === upload.Id));
  const unknown = ids.find((id) => ![...known, ...waiting].some(({ Id }) => Id === id));
  if (unknown !== undefined) throw notFound('upload', 'upload.UploadIds', unknown);
  if (!waiting.length) return { confirmed: [], known, undo: async () => undefined };
  const files = await openBucket();
  const copies: string[] = [];
  const undo: Undo = () => removing(files, copies)();
  const confirm = (upload: PendingUpload) => confirmFile(files, owner, upload, { account: store.account, now, copies });
  const results = await undoing(undo, async () => {
    const checked = await inBucket(() => mapWithConcurrency(waiting, CONCURRENCY, confirm));
    const errors = checked.flatMap(({ error }) => error ?? []);
    if (errors.length) throw invalid(...errors);
    return checked;
  });
  return { confirmed: results.flatMap(({ confirmed }) => confirmed ?? []), known, undo };
}

async function confirmFile(
  files: Files,
  owner: UploadOwner,
  pending: PendingUpload,
  { account, now, copies }: { account: string; now: Date; copies: string[] },
): Promise<{ readonly confirmed?: ConfirmedFile; readonly error?: FieldError }> {
  const { Id, Filename, Bytes, ContentType } = pending;
  const sent = sentFileKey(account, pending);
  const facts = await files.facts(sent);
  if (!facts)
    throw conflict(
      'requirement_missing',
      `Upload ${Id} has no content yet. Send it by PUT to its address, then repeat the call.`,
    );
  if (facts.bytes !== Bytes)
    throw conflict(
      'requirement_missing',
      `Upload ${Id} has ${facts.bytes} bytes; ${Bytes} were announced. Send it again.`,
    );
  const Handle = randomHandle(HANDLE_LENGTH);
  const copy = incomingFileKey(account, { Id, Handle });
  copies.push(copy);
  const isCopied = await files.copy(sent, copy, { tag: facts.tag, contentType: ContentType });
  const head = isCopied ? await files.getBytes(copy, MAX_INSPECTED_BYTES) : undefined;
  if (!head) throw conflict('wrong_state', `Upload ${Id} changed while it was checked. Repeat the call.`);
  const inspection = await inspectFile(Filename, head);
  if (inspection.kind === 'refused') {
    await removing(files, [sent])();
    return { error: fileError('upload.UploadIds', Filename, inspection.reason) };
  }
  const { AppointmentId, Notes } = pending;
  const described = { ...owner, AppointmentId: owner.AppointmentId ?? AppointmentId, Notes: owner.Notes || Notes };
  return { confirmed: { pending, upload: { ...toRecord(described, inspection, { Id, Bytes }, now), Handle } } };
}
