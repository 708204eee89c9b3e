import { brotliText, deflateText, gunzipText, inflateText, unbrotliText } from '../../shared/gzip.ts';
import { MAX_ITEM_BYTES } from '../../shared/limits.ts';
import { isEqual } from '../../shared/objects.ts';
import { ResponseTooLong } from '../dynamodb/errors.ts';

/**
 * How the saved responses of Idempotency-Keys are packed: without what the request has, and by a dictionary.
 */

/** Longer bodies are compressed: an item of one kilobyte has some 260 bytes besides. */
const LONG_BODY = 600;
const MAX_SMALL_BYTES = 760;
const MAX_BODY_BYTES = MAX_ITEM_BYTES - 10_000;
/** A value of the request that is at least so long, as JSON, is not saved again. */
const LONG_VALUE = 1_000;

/** JSON escapes this character, so it encloses what stands for something else. */
const MARK = '\u0001';

/** A repeated call may write these otherwise: `…00.000Z` for `…00Z`. */
const MOMENT = /T\d\d:\d\d/;

/** The body of a request, which a repeated call has again. */
export type RequestBody = Readonly<Record<string, unknown>>;

/**
 * How a body is compressed: with the dictionary, or with Brotli where that is shorter; `request` with the dictionary
 * after long values became references to the request, `columns` with Brotli after rows became columns. `gzip` is of
 * earlier versions.
 *
 * Not Brotli alone: at the median of the recorded answers it costs nothing more, but proposal/create grows from 302 to
 * 1,058 bytes, which is 4 write units in the transaction, where a key adds at most 2 (`npm run bench -- idempotency`).
 */
const forms = {
  dictionary: (bytes: Uint8Array) => inflateText(bytes, RESPONSE_DICTIONARY),
  brotli: unbrotliText,
  gzip: gunzipText,
  request: (bytes: Uint8Array, request: RequestBody) =>
    resolveReferences(inflateText(bytes, RESPONSE_DICTIONARY), request),
  columns: (bytes: Uint8Array, request: RequestBody) => fromColumns(unbrotliText(bytes), request),
} as const;

type Form = keyof typeof forms;

export interface PackedBody {
  readonly Body: string | Uint8Array;
  readonly Form?: Form;
}

/** A proposal of 13 KB has 730 bytes with the dictionary and 1,470 with Brotli; 5,000 postal codes 11 KB and 3 KB. */
export function packResponse(body: string, request: RequestBody = {}): PackedBody {
  if (body.length <= LONG_BODY) return { Body: body };
  const dictionary = deflateText(body, RESPONSE_DICTIONARY);
  if (dictionary.length <= MAX_SMALL_BYTES) return { Body: dictionary, Form: 'dictionary' };
  const shortened = withReferences(body, request);
  const columns = inColumns(body, request);
  const candidates: PackedForm[] = [
    { Body: dictionary, Form: 'dictionary' },
    { Body: brotliText(body), Form: 'brotli' },
    ...(shortened === body ? [] : [{ Body: deflateText(shortened, RESPONSE_DICTIONARY), Form: 'request' } as const]),
    ...(columns === undefined ? [] : [{ Body: brotliText(columns), Form: 'columns' } as const]),
  ];
  const shortest = candidates.reduce((best, one) => (one.Body.length < best.Body.length ? one : best));
  if (shortest.Body.length > MAX_BODY_BYTES) throw new ResponseTooLong(`A response of ${body.length} characters.`);
  return shortest;
}

interface PackedForm {
  readonly Body: Uint8Array;
  readonly Form: Form;
}

/** The text of a saved body; without its request it lacks only what the request has word for word. */
export const unpackResponse = ({ Body = '', Form = 'gzip' }: Partial<PackedBody>, request: RequestBody = {}): string =>
  typeof Body === 'string' ? Body : forms[Form](Body, request);

/** The long values of a request, as JSON, by their paths; the longest first. */
function longValues(value: unknown, path: readonly string[] = []): [path: string, text: string][] {
  const text = JSON.stringify(value) ?? '';
  if (text.length < LONG_VALUE) return [];
  const own: [string, string][] = path.length && !MOMENT.test(text) ? [[JSON.stringify(path), text]] : [];
  if (typeof value !== 'object' || value === null) return own;
  return [...own, ...Object.entries(value).flatMap(([name, part]) => longValues(part, [...path, name]))];
}

/** Each is looked for in the whole response. */
const MAX_REFERENCES = 20;

/** The body with references in place of what it has from the request: 5,000 postal codes are their path. */
function withReferences(body: string, request: RequestBody): string {
  const values = longValues(request).sort(([, one], [, other]) => other.length - one.length);
  return values
    .slice(0, MAX_REFERENCES)
    .reduce((text, [path, value]) => text.replaceAll(value, () => `${MARK}${path}${MARK}`), body);
}

const resolveReferences = (text: string, request: RequestBody): string =>
  text
    .split(MARK)
    .map((part, index) => (index % 2 ? JSON.stringify(valueAt(request, JSON.parse(part) as string[])) : part))
    .join('');

const valueAt = (request: RequestBody, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], request);

/** Shorter lists gain nothing. */
const MIN_ROWS = 20;

function parsedObject(body: string): object {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

type Row = Readonly<Record<string, unknown>>;
/** The values of a field in all rows, or that they are those of the request. */
type Columns = Readonly<Record<string, readonly unknown[] | typeof MARK>>;

/** The JSON of a body whose rows with the same fields became columns; `undefined` without rows. */
function inColumns(body: string, request: RequestBody): string | undefined {
  const fields = Object.entries(parsedObject(body));
  const changed = fields.map(([name, list]) => [name, columnsOf(list, request[name]) ?? (list as unknown)] as const);
  if (changed.every(([, value], index) => value === fields[index]?.[1])) return undefined;
  const columns = JSON.stringify(Object.fromEntries(changed));
  return fromColumns(columns, request) === body ? columns : undefined;
}

/** The rows of a list as columns: the request's amounts of 480 campaigns are a reference each. */
function columnsOf(list: unknown, requested: unknown): Record<string, readonly [rows: number, Columns]> | undefined {
  if (!Array.isArray(list) || list.length < MIN_ROWS) return undefined;
  const rows = list as readonly Row[];
  const names = Object.keys(rows[0] ?? {});
  const fields = names.join();
  if (!names.length || rows.some((row) => Object.keys(row ?? {}).join() !== fields)) return undefined;
  const columns = names.map((name) => {
    const values = rows.map((row) => row[name]);
    const isRequested = isEqual(values, requestedColumn(requested, name)) && !MOMENT.test(JSON.stringify(values));
    return [name, isRequested ? MARK : values] as const;
  });
  return { [MARK]: [rows.length, Object.fromEntries(columns)] };
}

const requestedColumn = (requested: unknown, name: string): unknown[] =>
  Array.isArray(requested) ? requested.map((row: Row | null) => row?.[name]) : [];

function fromColumns(text: string, request: RequestBody): string {
  const fields = Object.entries(JSON.parse(text) as Record<string, Record<string, readonly [number, Columns]> | null>);
  return JSON.stringify(
    Object.fromEntries(
      fields.map(([name, value]) => {
        const packed = value?.[MARK];
        return [name, packed ? rowsOf(packed, request[name]) : value];
      }),
    ),
  );
}

function rowsOf([length, columns]: readonly [number, Columns], requested: unknown): Row[] {
  const values = Object.entries(columns).map(
    ([name, column]) => [name, column === MARK ? requestedColumn(requested, name) : column] as const,
  );
  return Array.from({ length }, (_, row) => Object.fromEntries(values.map(([name, column]) => [name, column[row]])));
}

/**
 * What saved responses have in common: resources with empty fields. Responses are compressed with it, so it never
 * changes: another text needs another form in idempotency.ts, or responses of the last 24 hours could not be read.
 */
export const RESPONSE_DICTIONARY = [
  '{"Id":0,"Name":"","Description":"","Campaigns":[]},{"ChannelId":0,"CampaignId":null,"CampaignName":"","Year":0,',
  '"Month":0,"BudgetAmount":null,"BudgetType":null,"ActualAmount":null,"InvoiceUrl":"","Results":""},{"UserId":0,',
  '"Status":""},{"Id":0,"Email":"","Name":"","Active":false,"ServiceAgentId":null,"Role":""},{"Id":null,',
  '"AccountingClass":"","TerritoryID":"","PostalCodes":[]},{"Id":0,"Name":""},{"Date":"","Service":"","Link":"",',
  '"Id":0},{"Address1":"","Address2":"","City":"","State":"","Zip":""},{"Id":0,"Name":""},{"Id":0,"Name":"",',
  '"TaxRate":0},{"Id":0,"PublicName":"","InternalName":"","LegalEntityName":"","TaxpayerID":"","PrimaryPhone":"",',
  '"Email":"","Website":"","Timezone":"","StartAddress":null,"Radius":0,"BillingAddress":null,',
  '"OpenTimeGranularity":null,"PostalCodes":"","LocationID":"","CancelDate":null,"TrialExpirationDate":null,',
  '"Suspended":false,"BillingPlan":"","BillingMethod":0,"Users":[],"CustomFields":[],"AccountManager":null,',
  '"Region":""},{"DayOfWeek":null,"NameOfDay":"","StartMinute":0,"Minutes":0,"StartDate":"","EndDate":"",',
  '"ServiceCategoryName":"","PostalCodes":""},{"Id":0,"Name":"","Email":"","MobilePhone":"","StartDate":"",',
  '"EndDate":"","TimeSlots":[]},{"Id":0,"ContactId":null,"TaskType":0,"TaskTypeDisplay":"","Description":"",',
  '"Note":"","TaskCategory":"","Due":null,"Duration":null,"AssignedTo":"","AssignedToUserId":null,',
  '"CompletedAt":null,"CompletedBy":"","UpdatedAt":null},{"Id":0,"InvoiceId":0,"ContactId":0,"InvoiceNumber":"",',
  '"Reference":"","TransactionId":"","Date":null,"Amount":0,"Method":""},{"StartMinute":null,"Duration":null,',
  '"ActualStartMinute":null,"ActualDuration":null,"ServiceAgent":null},{"Id":0,"PartId":0,"Quantity":null,',
  '"UnitPrice":0,"UnitOfMeasure":"","RangePricing":null,"Discount":null,"Name":""},{"ContactId":0,',
  '"AppointmentId":0,"DateTime":"","DateTimeFormatted":"","ServiceAgentId":0,"Quantity":null,"Duration":null,',
  '"ServiceAgentName":"","DurationFormatted":"","ServiceId":null,"ServiceName":"","Discount":null,"Total":null,',
  '"NotificationUri":"","TipUrl":"","ThirdPartyUrl":"","TrackingUrl":"","ActualStart":"","ActualDuration":null,',
  '"Status":null,"Shadow":null,"DriveTimeMinutes":0,"DriveTimeWarning":false,"ProposalId":0,"RootProposalId":null,',
  '"ReworkForAppointmentId":null,"CancelReasonId":null,"AddOnParts":[],"CustomProperties":null,',
  '"AdditionalServiceAgents":[],"Contact":null},{"Id":0,"ServiceId":null,"PartId":null,"Description":"","Rate":0,',
  '"Qty":0,"Extended":0,"Taxable":false},{"Id":null,"Number":"","Date":null,"DatePaid":null,"Status":null,',
  '"InvoiceType":null,"ContactId":0,"ProposalId":null,"AppointmentId":null,"Subtotal":0,"Tax":0,"Total":0,',
  '"BalanceDue":0,"IncludedInEop":false,"TaxRate":0,"RateName":"","Terms":"","CustomerNotes":"",',
  '"CanAcceptClientPayment":false,"ClientPayUrl":"","ClientPdfUrl":"","Lines":[],"Contact":null,',
  '"AssociatedAppointmentIds":[]},{"Id":0,"Service":null,"Date":"","Status":""},{"Id":0,"Name":"",',
  '"Selected":false},{"Id":0,"ContactId":0,"Contact":null,"ClientUrl":"","Date":"","Status":"","AcceptedDate":"",',
  '"ServiceId":0,"ServiceName":"","Description":"","Duration":0,"BasePrice":0,"UnitPrice":0,"Quantity":0,',
  '"Subtotal":0,"Tax":0,"NamedTaxRate":null,"Taxable":false,"Title":"","DeliveryUri":"","OwnerUserId":null,',
  '"ServiceAgentId":null,"DepositRate":null,"DepositRequired":null,"SelectedSolution":null,"ProposalLines":[],',
  '"ChangeOrders":[],"BundledProposals":[],"ProposalNotes":[],"CustomerNotes":"","ChangeOrderForProposalId":null,',
  '"BundleWithProposalId":null,"IncludePaymentPlans":false,"PaymentPlanRequired":null,"DistributeParts":false,',
  '"CustomFields":[],"AccountingClass":null},{"Id":0,"OptionName":"","Selected":false},{"AtLeast":0,',
  '"LessThan":null,"Price":0,"ExcludeQuantity":false,"OverageMode":false,"Formula":""},{"Id":0,"Name":"",',
  '"Description":"","Category":"","Taxable":false,"RequiredForService":null,"ExcludeFromMinimum":null,',
  '"RangePricing":false,"IsActive":false,"SelfSelect":false,"IsAssembly":false,',
  '"IsAssemblySynchronizePricing":false,"IsInternal":false,"IsZeroAssemblyItemPrices":false,"UnitPrice":0,',
  '"UnitPriceMax":null,"UnitCost":null,"UnitDuration":null,"DurationForQtyUnits":null,"UnitOfMeasure":"",',
  '"QuantityOverrideCustomFieldId":null,"QtyPricing":[],"AssemblyItems":[],"PartTemplate":null,"StoreItemId":null,',
  '"DistributionStart":null,"DistributionEnd":null},{"Id":0,"Quantity":null,"UnitPrice":null,"UnitCost":null,',
  '"RatePercent":null,"MaxDiscount":null,"ExtendedTotal":0,"LineTax":0,"Taxable":false,"IsInternal":null,',
  '"Discount":null,"LineDescription":"","Notes":"","SortIndex":0,"AssemblyLineId":null,"Part":null,',
  '"ProposalOption":null,"CustomFields":[]},{"Id":0,"Title":"","Body":""},{"Id":0,"OrganizationId":null,"Hash":"",',
  '"Name":"","Nickname":"","Company":"","Address1":"","Address2":"","City":"","State":"","Zip":"","Phone":"",',
  '"AltPhone":"","PhoneLabel":"","AltPhoneLabel":"","Email":"","Country":"","LocationID":"","TerritoryID":"",',
  '"LeadSource":"","Channel":"","Campaign":"","Category":"","ChannelId":0,"CampaignId":0,"UtmMedium":"",',
  '"UtmSource":"","UtmCampaign":"","IsCustomer":false,"DigitalTrackingId":"","ReferredByContactId":null,',
  '"OwnerUserId":null,"ReferredByHash":"","ManagedByContactId":null,"AutoOfferCode":"","FlashMessage":"",',
  '"Unsubscribed":false,"NamedTaxRate":null,"PmtOnFileKind":"","PmtOnFileLast4":"","PmtOnFileExpDate":"",',
  '"UpdatePaymentOnFileUrl":"","DoNotText":false,"DoNotEmail":false,"AccountingClass":null,"Notes":[],',
  '"CustomFields":[],"Tags":[],"ContactPictures":[],"ContactDocuments":[],"OpenInvoices":[],"OpenProposals":[],',
  '"IsValid":false,"HasIdentifyingInfo":false},{"Count":0,"Message":"","ResultCode":0,"Errors":[{"Field":"",',
  '"Message":""}]}',
].join('');
