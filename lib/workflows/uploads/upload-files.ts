import type { Tag } from '../../entities/contact-entries.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import type { PendingUpload, UploadRecord } from '../../entities/uploads.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import { formatInteger } from '../../shared/text/text.ts';
import { MAX_TAGS } from '../../domain/contacts/record.ts';
import { LIST_LIMITS, describeLimit, exceedsLimit } from '../../domain/list-limits.ts';
import { MAX_SENT_BYTES, MAX_UPLOAD_BYTES, describeUploadLimit } from '../../domain/uploads/limits.ts';
import { toContactDocument, toContactPicture } from '../../domain/uploads/record.ts';
import type { UploadFile } from '../../resources/contacts.ts';
import { type FieldError, Failure, conflict, invalid, notFound, orNotFound } from '../../shared/failure.ts';
import { findAppointment } from '../../store/appointments.ts';
import { contactChanges, findMeantContact } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { layout } from '../../store/keys.ts';
import { findProposal, unchangedProposal } from '../../store/sales/proposals.ts';
import { findTagsById } from '../../store/contacts/tags.ts';
import {
  confirmedUploadChange,
  countProposalUploads,
  fileListChange,
  findFileListVersion,
  pendingUploadChanges,
  uploadChanges,
} from '../../store/uploads.ts';
import { loadContact } from '../contacts/load-contact.ts';
import type { WriteContext } from '../context.ts';
import { type UploadOwner, announceFiles, confirmFiles, countAnnounced, storeFiles, undoing } from './file-contents.ts';

/** The form fields that both operations have. */
interface UploadForm {
  readonly Note?: string | null | undefined;
  readonly TagIds?: string | null | undefined;
  readonly UploadIds?: readonly number[] | null | undefined;
}

interface ContactUploadForm extends UploadForm {
  readonly ContactId?: number | null | undefined;
  readonly AppointmentId?: number | null | undefined;
}

interface ProposalUploadForm extends UploadForm {
  readonly ProposalId?: number | null | undefined;
}

interface UploadRequest<Form extends UploadForm> {
  readonly upload: Form | null | undefined;
  readonly files?: readonly UploadFile[] | null | undefined;
}

interface UploadOutcome {
  /** The form in the answer; UploadIds in the order of the files. */
  readonly form: { readonly Note: string; readonly TagIds: string; readonly UploadIds: number[] };
  /** The addresses of announced files; `""` for those that came with their content. */
  readonly urls: string[];
  readonly message: string;
  readonly changes: readonly Change[];
  readonly undo: () => Promise<void>;
}

/**
 * Stores files of a contact: pictures and documents. Throws invalid for files that may not be stored, notFound, and
 * conflict if the contact has the maximum number of files. Puts the files under incoming/ of the bucket, from which a
 * worker takes them once their records are committed; `undo` removes them.
 */
export async function uploadToContact(
  { upload, files }: UploadRequest<ContactUploadForm>,
  context: WriteContext,
): Promise<UploadOutcome> {
  const form = upload ?? {};
  const [contact, tags, appointment, counted] = await Promise.all([
    loadContact(context, form.ContactId, 'upload.ContactId'),
    loadTags(context, form.TagIds ?? ''),
    form.AppointmentId ? findAppointment(context.store, form.AppointmentId) : undefined,
    countAnnounced(files ?? [], context),
  ]);
  const AppointmentId = appointmentIdOf(form, appointment, contact);
  const owner = { contact, proposal: undefined, AppointmentId, Notes: form.Note ?? '' };
  return uploadFiles(owner, { form, files: files ?? [], tags, counted }, context);
}

/** Stores files of a proposal, like those of a contact. */
export async function uploadToProposal(
  { upload, files }: UploadRequest<ProposalUploadForm>,
  context: WriteContext,
): Promise<UploadOutcome> {
  const { store } = context;
  const form = upload ?? {};
  if (!form.ProposalId) throw invalid({ field: 'upload.ProposalId', code: 'required', message: 'is required' });
  const [found, tags, fileListVersion, counted] = await Promise.all([
    findProposal(store, form.ProposalId),
    loadTags(context, form.TagIds ?? ''),
    findFileListVersion(store, form.ProposalId),
    countAnnounced(files ?? [], context),
  ]);
  const proposal = orNotFound(found, 'proposal', 'upload.ProposalId', form.ProposalId);
  const meant = await findMeantContact(store, proposal.ContactId);
  const owner = {
    contact: orNotFound(meant?.contact, 'contact', 'upload.ProposalId', proposal.ContactId),
    proposal,
    AppointmentId: null,
    Notes: form.Note ?? '',
  };
  return uploadFiles(owner, { form, files: files ?? [], tags, counted, fileListVersion }, context);
}

interface UploadInput {
  readonly form: UploadForm;
  readonly files: readonly UploadFile[];
  readonly tags: readonly Tag[];
  /** Counts the bytes of announced files. */
  readonly counted: readonly Change[];
  /** The proposal's version of its file list, before these files are counted. */
  readonly fileListVersion?: number;
}

/** Handles the three ways: files that were announced and sent, files with their content, and announcements. */
async function uploadFiles(owner: UploadOwner, input: UploadInput, context: WriteContext): Promise<UploadOutcome> {
  const { form, files, counted } = input;
  const sentIds = [...new Set(form.UploadIds ?? [])];
  checkFiles(files, sentIds);
  if (sentIds.length) {
    const { confirmed, known, undo } = await confirmFiles(owner, sentIds, context);
    const changes = await undoing(undo, async () => [
      ...confirmed.map(({ pending }) => confirmedUploadChange(context.store, pending)),
      ...(await ownerChanges(owner, { ...input, uploads: confirmed.map(({ upload }) => upload) }, context)),
    ]);
    const message = `${describeCount(confirmed.length + known.length)} stored. ${ADDRESS}`;
    return { form: toForm(form, sentIds), urls: [], message, changes, undo };
  }
  const announced = files.filter(({ Content }) => !Content);
  const [pending, stored] = await Promise.all([
    announceFiles(owner, announced, context),
    storeFiles(
      owner,
      files.map((file, index) => ({ file, index })).filter(({ file }) => file.Content),
      context,
    ),
  ]);
  const { uploads, undo } = stored;
  const changes = await undoing(undo, async () => [
    ...counted,
    ...pendingUploadChanges(
      context.store,
      pending.map(({ upload }) => upload),
      context.now,
    ),
    ...(await ownerChanges(owner, { ...input, uploads }, context)),
  ]);
  const [nextPending, nextStored] = [pending.values(), uploads.values()];
  const results = files.map(({ Content }) =>
    Content
      ? { id: nextStored.next().value?.Id ?? 0, url: '' }
      : toAnnouncement(nextPending.next().value ?? { upload: undefined, url: '' }),
  );
  return {
    form: toForm(
      form,
      results.map(({ id }) => id),
    ),
    urls: pending.length ? results.map(({ url }) => url) : [],
    message: [
      ...(uploads.length ? [`${describeCount(uploads.length)} stored. ${ADDRESS}`] : []),
      ...(pending.length ? [SEND_FILES] : []),
    ].join(' '),
    changes,
    undo,
  };
}

const toForm = ({ Note, TagIds }: UploadForm, UploadIds: number[]) => ({
  Note: Note ?? '',
  TagIds: TagIds ?? '',
  UploadIds,
});

const toAnnouncement = ({ upload, url }: { upload: PendingUpload | undefined; url: string }) => ({
  id: upload?.Id ?? 0,
  url,
});

const describeCount = (count: number): string => (count === 1 ? '1 file is' : `${count} files are`);
const ADDRESS = 'GET /files/{UploadId} with the header X-Api-Key returns one.';
const SEND_FILES =
  'Send each file by PUT to its address in UploadUrls within an hour, with its Content-Type and exactly Size bytes. ' +
  'Then repeat the call with these UploadIds in upload and without files: a file is stored when it is checked.';

/** Throws 400 and 413 for impossible files, before anything is read. */
function checkFiles(files: readonly UploadFile[], sentIds: readonly number[]): void {
  if (!files.length && !sentIds.length)
    throw invalid({
      field: 'files',
      code: 'required',
      message: 'is required: send at least one file, or the UploadIds of sent ones',
    });
  if (files.length && sentIds.length)
    throw invalid({
      field: 'upload.UploadIds',
      code: 'mismatch' as const,
      message: 'must be empty in a call with files',
    });
  const errors = files.flatMap(({ Filename, Content, Size }, index): FieldError[] => [
    ...(Filename ? [] : [{ field: `files[${index}].Filename`, code: 'required' as const, message: 'is required' }]),
    ...(Content || Size
      ? []
      : [{ field: `files[${index}].Content`, code: 'required' as const, message: 'is required, or Size' }]),
  ]);
  if (errors.length) throw invalid(...errors);
  const tooLarge = files.findIndex(({ Content, Size }) => !Content && (Size ?? 0) > MAX_SENT_BYTES);
  if (tooLarge >= 0) throw new Failure('request_too_large', `files[${tooLarge}] is too large. ${describeUploadLimit}`);
  const bytes = files.reduce((sum, { Content }) => sum + Math.floor(((Content?.length ?? 0) * 3) / 4), 0);
  if (bytes > MAX_UPLOAD_BYTES + 2 * files.length)
    throw new Failure('request_too_large', `The files have ${formatInteger(bytes)} bytes. ${describeUploadLimit}`);
}

/** The changes that store files, list them with their contact or proposal, and add the tags. */
async function ownerChanges(
  { contact, proposal }: UploadOwner,
  { uploads, tags, fileListVersion = 0 }: UploadInput & { readonly uploads: readonly UploadRecord[] },
  { store, now }: WriteContext,
): Promise<readonly Change[]> {
  const after = withTags(proposal ? contact : withFiles(contact, uploads), tags);
  const changes = uploads.flatMap((upload) => uploadChanges(store, { before: undefined, after: upload }).changes);
  if (proposal && uploads.length) {
    await checkProposalFiles(proposal);
    changes.push(fileListChange(store, proposal.Id, fileListVersion));
  }
  // The same transaction requires an unchanged owner, because files without one would never be removed.
  const beside = [...changes, ...(proposal ? [unchangedProposal(store, proposal)] : [])];
  if (after !== contact) return contactChanges(store, [{ before: contact, after, guards: [] }], { now, beside });
  return [...beside, { check: layout.contact.key({ account: store.account, id: contact.Id }), if: 'present' }];

  async function checkProposalFiles({ Id }: ProposalRecord) {
    const { entries } = LIST_LIMITS.proposalFiles;
    const count = await countProposalUploads(store, Id, entries);
    if (count + uploads.length > entries)
      throw conflict(
        'limit_reached',
        `Proposal ${Id} has ${count} files; a proposal has ${describeLimit(LIST_LIMITS.proposalFiles)}.`,
      );
  }
}

const filesOf = ({ ContactPictures, ContactDocuments }: ContactRecord) => [...ContactPictures, ...ContactDocuments];

/** The contact with more files, newest last. Throws conflict if there are too many. */
function withFiles(contact: ContactRecord, uploads: readonly UploadRecord[]): ContactRecord {
  if (!uploads.length) return contact;
  const pictures = uploads.filter(({ IsPicture }) => IsPicture).map(toContactPicture);
  const documents = uploads.filter(({ IsPicture }) => !IsPicture).map(toContactDocument);
  const after = {
    ...contact,
    ContactPictures: [...contact.ContactPictures, ...pictures],
    ContactDocuments: [...contact.ContactDocuments, ...documents],
  };
  if (exceedsLimit(LIST_LIMITS.contactFiles, filesOf(contact), filesOf(after)))
    throw conflict(
      'limit_reached',
      `Contact ${contact.Id} has ${filesOf(contact).length} files. Pictures and documents of a contact with their ` +
        `notes are ${describeLimit(LIST_LIMITS.contactFiles)}.`,
    );
  return after;
}

/** The contact with the tags. Throws invalid above 100. */
function withTags(contact: ContactRecord, tags: readonly Tag[]): ContactRecord {
  const added = tags.filter(({ Id }) => !contact.Tags.some((tag) => tag.Id === Id));
  if (!added.length) return contact;
  if (contact.Tags.length + added.length > MAX_TAGS)
    throw invalid({
      field: 'upload.TagIds',
      code: 'limit',
      message: `must leave the contact with at most ${MAX_TAGS} tags`,
    });
  return { ...contact, Tags: [...contact.Tags, ...added] };
}

/** The tags of comma-separated ids. Throws invalid for an unknown one. */
async function loadTags({ store }: WriteContext, text: string): Promise<Tag[]> {
  const parts = text.split(',').map((part) => part.trim());
  const ids = [...new Set(parts.filter(Boolean))];
  const wrong = ids.find((id) => !/^[1-9]\d{0,9}$/.test(id));
  if (wrong !== undefined)
    throw invalid({ field: 'upload.TagIds', code: 'format', message: 'must be ids of tags, separated by commas' });
  const tags = await findTagsById(store, ids.map(Number));
  const unknown = ids.find((id) => !tags.has(Number(id)));
  if (unknown !== undefined)
    throw invalid({ field: 'upload.TagIds', code: 'not_found', message: `names tag ${unknown}, which does not exist` });
  return ids.flatMap((id) => tags.get(Number(id)) ?? []);
}

/** The appointment of the form, if it belongs to the contact and is visible to the caller. */
function appointmentIdOf(
  { AppointmentId, ContactId }: ContactUploadForm,
  appointment: AppointmentRecord | undefined,
  contact: ContactRecord,
): number | null {
  if (!AppointmentId) return null;
  if (!appointment) throw notFound('appointment', 'upload.AppointmentId', AppointmentId);
  if (![contact.Id, ContactId].includes(appointment.ContactId))
    throw invalid({
      field: 'upload.AppointmentId',
      code: 'mismatch',
      message: `must be an appointment of contact ${ContactId}`,
    });
  return AppointmentId;
}
