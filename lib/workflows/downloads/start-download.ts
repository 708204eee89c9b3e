import type { DownloadFormat } from '../../domain/downloads/columns.ts';
import {
  DOWNLOAD_KINDS,
  type DownloadFilter,
  type DownloadKind,
  type DownloadSettings,
  type KindDefinition,
  REQUEST_SPANS,
  type RequestSpan,
  SETTINGS_SPANS,
  type SettingsSpan,
  type SpanName,
} from '../../domain/downloads/kind.ts';
import { downloadKinds } from '../../domain/downloads/kinds.ts';
import type { StartDownloadInput } from '../../resources/downloads.ts';
import { type FieldError, Failure, invalid, notFound, prefixErrors } from '../../shared/failure.ts';
import { randomHandle } from '../../store/dynamodb/records.ts';
import { type DateSpan, parseTimeSpan } from '../../shared/time/read-moments.ts';
import { nearest } from '../../shared/text/suggestions.ts';
import { callerOrganization, findOnlyOrganization } from '../../store/accounts/accounts.ts';
import type { Caller } from '../../store/requests/caller.ts';
import { auditChange } from '../../store/requests/audit.ts';
import { MAX_WAITING, findFreeSlot, newDownloadChanges } from '../../store/downloads.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { findOrganization } from '../../store/organizations/organizations.ts';
import { findUsers } from '../../store/organizations/users.ts';
import type { WriteContext } from '../context.ts';
import { organizationStore } from '../../store/store.ts';

/** A download covers one organization, or the whole account unless the request names one. */
type DownloadScope = 'organization' | 'account';

const PREFIX = 'branding-';

function parseKind(text: string): DownloadKind {
  const name = text.trim().toLowerCase();
  const plain = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name;
  const found = DOWNLOAD_KINDS.find((kind) => kind === plain);
  if (found) return found;
  const near = nearest(plain.slice(0, 50), DOWNLOAD_KINDS);
  const hint = near ? ` Did you mean ${near}?` : '';
  throw invalid({
    field: 'Kind',
    code: 'unknown_value',
    message: `must be one of ${DOWNLOAD_KINDS.join(', ')}.${hint}`,
  });
}

/** The organization of the download; `null` for the whole account. Throws 400 if the request must name one. */
async function findScope(
  { store, caller }: WriteContext,
  requested: number | null | undefined,
  scope: DownloadScope,
): Promise<number | null> {
  const id = caller.organizationId ?? requested ?? undefined;
  if (id === undefined) {
    if (scope === 'account') return null;
    const only = await findOnlyOrganization(store);
    if (only !== undefined) return only;
    throw invalid({
      field: 'OrganizationId',
      code: 'required',
      message: 'is required: the account has several organizations. datasubscriber/startdownload downloads all of them',
    });
  }
  if (!(await findOrganization(store, id))) throw notFound('organization', 'OrganizationId', id);
  return id;
}

/** The spans from a list of field pairs that the kind supports; an unsupported one is an error. */
function readSpans<Span extends SpanName>(
  pairs: Readonly<Record<Span, readonly [string, string]>>,
  input: Readonly<Record<string, unknown>>,
  zone: string,
  { kind, moments }: KindDefinition,
): { spans: Partial<Record<Span, DateSpan>>; errors: FieldError[] } {
  const spans: Partial<Record<Span, DateSpan>> = {};
  const errors: FieldError[] = [];
  for (const [name, fields] of Object.entries(pairs) as [Span, readonly [string, string]][]) {
    const requested = fields.filter((field) => input[field]);
    if (!requested.length) continue;
    if (moments[name] || (name === 'Invoiced' && kind === 'contacts')) {
      const parsed = parseTimeSpan(fields, input as Record<string, string>, zone);
      errors.push(...parsed.errors);
      spans[name] = parsed.span;
    } else
      errors.push(
        ...requested.map((field) => ({
          field,
          code: 'unknown_field' as const,
          message: `does not apply to ${kind}. Leave it out`,
        })),
      );
  }
  return { spans, errors };
}

/** Throws 400; for a lenient key, a filter that the kind lacks is ignored with a remark. */
function reportErrors(errors: readonly FieldError[], { caller, remark }: WriteContext): void {
  const ignored = caller.isLenient ? errors.filter(({ code }) => code === 'unknown_field') : [];
  if (ignored.length < errors.length) throw invalid(...errors.filter((error) => !ignored.includes(error)));
  for (const { field, message } of ignored) remark?.(`${field} ${message.split('.')[0]}: it is ignored.`);
}

/** The settings, without moments and unset fields. */
const settingsOf = (input: Readonly<Record<string, unknown>>): DownloadSettings => {
  const spanFields = new Set<string>(Object.values(SETTINGS_SPANS).flat());
  return Object.fromEntries(
    Object.entries(input).filter(
      ([name, value]) => !spanFields.has(name) && value !== null && value !== undefined && value !== false,
    ),
  );
};

/**
 * The user, checked: a download for a user who does not exist is a mistake of the caller. Programs written for another
 * system name a user of that system: for a lenient key the id is ignored with a remark.
 */
async function checkUser(
  { store, caller, remark }: WriteContext,
  id: number | null | undefined,
): Promise<number | null> {
  if (!id) return null;
  const [user] = await findUsers(store, [id]);
  if (user) return id;
  if (!caller.isLenient) throw notFound('user', 'UserId', id);
  remark?.(`There is no user ${id}: UserId is ignored.`);
  return null;
}

const seesTaxpayer = ({ role }: Pick<Caller, 'role'>): boolean => role === 'Owner' || role === 'Admin';

export interface StartedDownload {
  readonly id: string;
  readonly changes: readonly Change[];
}

export interface StartOptions {
  readonly scope: DownloadScope;
  readonly format: DownloadFormat;
  /** Whether the file begins with a byte order mark. */
  readonly hasBom?: boolean;
}

/**
 * Starts a download, whose file the worker makes. Throws 429 if the key has 100 that are not ready yet. Writes nothing:
 * returns the changes.
 */
export async function startDownload(
  context: WriteContext,
  request: StartDownloadInput,
  { scope, format, hasBom = false }: StartOptions,
): Promise<StartedDownload> {
  if (hasBom && format !== 'csv')
    throw invalid({ field: 'bom', code: 'mismatch', message: 'is for CSV only. Leave it out' });
  const { store, caller, now } = context;
  const { account, keyId, agent } = caller;
  const kind = parseKind(request.Kind);
  const definition = downloadKinds[kind];
  const [organizationId, userId] = await Promise.all([
    findScope(context, request.OrganizationId, scope),
    checkUser(context, request.UserId),
  ]);
  const { Timezone } = await callerOrganization(organizationStore(store, organizationId));
  const settings = ((definition.settings && request[definition.settings as keyof StartDownloadInput]) ??
    {}) as Readonly<Record<string, unknown>>;
  const own = readSpans<RequestSpan>(REQUEST_SPANS, request, Timezone, definition);
  const ofSettings = readSpans<SettingsSpan>(SETTINGS_SPANS, settings, Timezone, definition);
  const errors = [...own.errors, ...prefixErrors(definition.settings ?? '', ofSettings.errors)];
  if (errors.length) reportErrors(errors, context);
  const filter: DownloadFilter = {
    spans: { ...own.spans, ...ofSettings.spans },
    settings: settingsOf(settings),
    organizationId,
    agentId: agent?.id ?? null,
  };
  const free = await findFreeSlot(store, keyId, now);
  if (!free)
    throw new Failure(
      'too_many_downloads',
      `${MAX_WAITING} downloads of this key are not ready yet. Wait until one is ready.`,
      { headers: { 'Retry-After': '30' } },
    );
  const id = randomHandle(22);
  const download = {
    Id: id,
    Account: account,
    Kind: kind,
    Format: format,
    HasBom: hasBom,
    Filter: filter,
    FirstId: request.RowId ?? 1,
    UserId: userId,
    Key: keyId,
    Slot: free.slot,
    WithTaxpayer: kind === 'organizations' && seesTaxpayer(caller),
  };
  const audit = auditChange(store, {
    Kind: 'download.started',
    At: now.getTime(),
    Actor: { Key: keyId, Name: caller.keyName },
    Data: { DownloadId: id, Kind: kind, Format: format, Filter: filter, RowId: download.FirstId },
  });
  return { id, changes: [...newDownloadChanges(download, free.previous, now), audit] };
}
