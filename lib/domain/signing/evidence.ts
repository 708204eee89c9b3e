import type { ProposalLineRecord } from '../../entities/proposal-parts.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import { add } from '../../shared/money.ts';
import { type Json, canonical } from '../../shared/objects.ts';
import { blankProposal, depositDue, linePlacements, proposalTaxParts } from '../proposals/record.ts';
import { readPng } from './read-png.ts';
import { SaxesParser } from 'saxes';

/** What is kept of an acceptance: the picture of the signature, and the evidence of what was signed. */

/** The limit for the characters of SignatureData, and for the bytes of the picture in it. */
export const MAX_SIGNATURE_BYTES = 256 * 1024;

/** The picture of a signature as it is stored. */
export interface Signature {
  readonly type: 'image/png' | 'image/svg+xml';
  readonly bytes: Uint8Array;
}

/** `message` completes a sentence that begins with the field. */
export type SignatureResult =
  | { readonly kind: 'signature'; readonly signature: Signature }
  | { readonly kind: 'refused'; readonly message: string };

const FORMS = 'must be a PNG or SVG: data:image/png;base64,…, data:image/svg+xml,… or the base64 of a PNG';

const refused = (message: string): SignatureResult => ({ kind: 'refused', message });

/** Ignores white space and missing padding; `undefined` if the text is not base64. */
export function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Decodes percent-encoding as in a URL; a `%` without two digits is literal, as in `width="100%"`. */
function fromPercentEncoding(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  const decoded: number[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const pair = bytes[at] === 0x25 ? String.fromCharCode(...bytes.subarray(at + 1, at + 3)) : '';
    const isEncoded = /^[\da-f]{2}$/i.test(pair);
    decoded.push(isEncoded ? Number.parseInt(pair, 16) : (bytes[at] ?? 0));
    if (isEncoded) at += 2;
  }
  return Uint8Array.from(decoded);
}

function svgBytesError(bytes: Uint8Array): string | undefined {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return 'is an SVG that is not UTF-8';
  }
  return svgError(text);
}

function readPicture(type: Signature['type'], bytes: Uint8Array): SignatureResult {
  const read = type === 'image/png' ? readPng(bytes) : (svgBytesError(bytes) ?? bytes);
  return typeof read === 'string' ? refused(read) : { kind: 'signature', signature: { type, bytes: read } };
}

function readDataUri(head: string, body: string): SignatureResult {
  const [type = '', ...parameters] = head
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const isBase64 = parameters.at(-1) === 'base64';
  if (type !== 'image/png' && type !== 'image/svg+xml') return refused(`${FORMS}; this is ${JSON.stringify(type)}`);
  if (type === 'image/png' && !isBase64) return refused('must be base64 if it is a PNG: data:image/png;base64,…');
  const bytes = isBase64 ? fromBase64(body) : fromPercentEncoding(body);
  if (!bytes) return refused('is not base64 after its comma');
  if (bytes.length > MAX_SIGNATURE_BYTES)
    return refused(`is a picture of ${bytes.length} bytes; the maximum is ${MAX_SIGNATURE_BYTES}`);
  return readPicture(type, bytes);
}

/**
 * The picture in SignatureData: a data URI of a PNG (base64) or SVG (base64, or percent-encoded UTF-8), or the bare
 * base64 of a PNG (interface, section 7). Its bytes must match the type that they claim.
 */
export function readSignature(text: string): SignatureResult {
  if (text.length > MAX_SIGNATURE_BYTES) return refused(`must have at most ${MAX_SIGNATURE_BYTES} characters`);
  const input = text.trim();
  const [, head, body] = /^data:([^,]{0,200}),(.*)$/is.exec(input) ?? [];
  if (head !== undefined && body !== undefined) return readDataUri(head, body);
  const bytes = fromBase64(input);
  return bytes && String.fromCharCode(...bytes.subarray(1, 4)) === 'PNG'
    ? readPicture('image/png', bytes)
    : refused(FORMS);
}

/**
 * Who accepted a proposal, from where and when (ISO 8601, UTC). SignatureSha256 is the SHA-256 of the picture,
 * RecordSha256 that of the fixed fields. A type, not an interface, because only a type is assignable to JSON.
 */
type Acceptance = {
  readonly AccountId: string;
  readonly Name: string;
  /** The text that the client agreed to on a page. */
  readonly Agreement?: string;
  /** The API key with which a program reported the client's acceptance: nothing else shows that it was the client. */
  readonly ByKey?: { readonly Id: string; readonly Name: string };
  readonly IpAddress: string;
  readonly AcceptedAt: string;
  readonly SignatureType: Signature['type'];
  readonly SignatureSha256: string;
  readonly RecordSha256: string;
};

/** The permanent record of an acceptance; the SHA-256 of its canonical JSON identifies it. */
export type Evidence = { readonly Proposal: ReturnType<typeof signedContent>; readonly Acceptance: Acceptance };

const lineContent = (line: ProposalLineRecord, name: string, optionId: number | null) => ({
  Id: line.Id,
  PartId: line.PartId,
  Name: name,
  LineDescription: line.LineDescription,
  Notes: line.Notes,
  OptionId: optionId,
  AssemblyLineId: line.AssemblyLineId,
  Counts: line.Counts,
  Quantity: line.Quantity,
  UnitPrice: line.UnitPrice,
  RatePercent: line.RatePercent,
  Discount: line.Discount,
  ExtendedTotal: line.ExtendedTotal,
  Taxable: line.Taxable,
  LineTax: line.LineTax,
});

/**
 * The tax rate with the amounts of its parts. A rate without parts has the same form as signatures from before parts
 * existed.
 */
function taxRateContent(
  proposal: ProposalRecord,
  { Name, TaxRate, Parts }: NonNullable<ProposalRecord['NamedTaxRate']>,
) {
  return { Name, Percent: TaxRate, ...(Parts.length ? { Parts: proposalTaxParts(proposal) } : {}) };
}

/**
 * What a signature fixes: every line except internal ones, all options with the selection, every amount, tax rate and
 * deposit. It omits what may change later (status, notes to the proposal, owner, custom fields, links from other
 * proposals) and what clients must not see (costs, the price book).
 */
export function signedContent(proposal: ProposalRecord) {
  const parts = new Map(proposal.Book.Parts.map((part) => [part.Id, part]));
  const flags = new Map(
    proposal.Book.Parts.map(({ Id, IsInternalizeAssemblyItems = false }) => [Id, { IsInternalizeAssemblyItems }]),
  );
  const placements = linePlacements(proposal.Lines, flags);
  return {
    Id: proposal.Id,
    OrganizationId: proposal.OrganizationId,
    ContactId: proposal.ContactId,
    Date: proposal.Date,
    Title: proposal.Title,
    ServiceId: proposal.ServiceId,
    ServiceName: proposal.ServiceName,
    Description: proposal.Description,
    CustomerNotes: proposal.CustomerNotes,
    ChangeOrderForProposalId: proposal.ChangeOrderForProposalId,
    BundleWithProposalId: proposal.BundleWithProposalId,
    Quantity: proposal.Quantity,
    BasePrice: proposal.BasePrice,
    UnitPrice: proposal.UnitPrice,
    Taxable: proposal.Taxable,
    ServiceTax: proposal.ServiceTax,
    Options: proposal.Options.map(({ Id, Name, Selected }) => ({ Id, Name, Selected })),
    Lines: proposal.Lines.flatMap((line) => {
      const { internal, optionId } = placements.get(line.Id) ?? { internal: line.IsInternal, optionId: line.OptionId };
      return internal ? [] : [lineContent(line, parts.get(line.PartId)?.Name ?? '', optionId)];
    }),
    TaxRate: proposal.NamedTaxRate && taxRateContent(proposal, proposal.NamedTaxRate),
    TaxableSubtotal: proposal.TaxableSubtotal,
    Subtotal: proposal.Subtotal,
    Tax: proposal.Tax,
    Total: add(proposal.Subtotal, proposal.Tax),
    DepositRate: proposal.DepositRate,
    DepositRequired: proposal.DepositRequired,
    Deposit: depositDue(proposal),
    IncludePaymentPlans: proposal.IncludePaymentPlans,
    PaymentPlanRequired: proposal.PaymentPlanRequired,
    DistributeParts: proposal.DistributeParts,
  };
}

/** What may change once a proposal is signed, by requests or because of other records. */
export const CHANGEABLE_AFTER_SIGNING = [
  'Status',
  'ProposalNotes',
  'OwnerUserId',
  'CustomFields',
  'AccountingClass',
  'ChangeOrders',
  'BundledProposals',
  'DepositCredits',
  'Billed',
  'VisitsToQueue',
  'LinksRevoked',
  'Updated',
  'V',
] as const satisfies readonly (keyof ProposalRecord)[];

/** Set by the acceptance, and compared with it individually (verify.ts). */
const COMPARED_WITH_ACCEPTANCE = ['AcceptedAt', 'EvidenceSha256'] as const satisfies readonly (keyof ProposalRecord)[];

const UNFIXED: ReadonlySet<string> = new Set([...CHANGEABLE_AFTER_SIGNING, ...COMPARED_WITH_ACCEPTANCE]);

/**
 * The canonical text of all stored fields that cannot change after signing, including costs, internal lines and the
 * price book. The evidence only has its hash, because clients must not see some of them.
 */
export function fixedFields(proposal: ProposalRecord): string {
  const { Id, OrganizationId, ContactId, Zone, Date, Created } = proposal;
  const blank = blankProposal({ Id, OrganizationId, ContactId, Zone, Date, Created });
  // Proposals from version 0.1 have a HashKey, which is part of what was signed.
  const known = [...Object.keys(blank), ...('HashKey' in proposal ? ['HashKey'] : [])] as (keyof ProposalRecord)[];
  const names = known.filter((name) => !UNFIXED.has(name));
  const fields = Object.fromEntries(names.map((name) => [name, proposal[name]]));
  return canonical(JSON.parse(JSON.stringify(fields)) as Json);
}

/** Elements that draw something themselves. */
const DRAWING = new Set(['path', 'line', 'polyline', 'polygon', 'rect', 'circle', 'ellipse', 'text']);
/** Elements whose content is drawn only when something refers to it. */
const DEFINING = new Set(['defs', 'clipPath', 'title', 'desc']);
/**
 * All other elements are refused: they could load, run or animate something or, like `use`, multiply a few elements
 * into a billion.
 */
const ALLOWED = new Set([...DRAWING, ...DEFINING, 'svg', 'g', 'tspan', 'linearGradient', 'radialGradient', 'stop']);

const MAX_DEPTH = 50;
const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

/** What could make a value of CSS, or of an unknown attribute, load or run something; a `\` could hide any of it. */
const EXTERNAL = /(?:javascript|vbscript|data):|\/\/|@import|(?:expression|image|image-set|src|attr)\(|\\/;

/** What is wrong with an attribute whose entities are resolved. */
function attributeError(name: string, value: string): string | undefined {
  const localName = name.slice(name.indexOf(':') + 1).toLowerCase();
  const compact = value.replaceAll(/[\s\p{Cc}\p{Cf}]/gu, '').toLowerCase();
  if (localName.startsWith('on')) return `has an attribute ${name}, which would run a script`;
  if (name === 'xmlns') return value === SVG_NAMESPACE ? undefined : `has an xmlns other than ${SVG_NAMESPACE}`;
  if (name.startsWith('xmlns:')) return undefined;
  const urls = compact.match(/url\(.?/g) ?? [];
  const ownUrls = compact.match(/url\(['"]?#/g) ?? [];
  const isOwn =
    localName === 'href' || localName === 'src'
      ? compact.startsWith('#')
      : !EXTERNAL.test(compact) && urls.length === ownUrls.length;
  return isOwn ? undefined : `refers to something outside itself in its attribute ${name}`;
}

class SvgError extends Error {}

function refuse(message: string): never {
  throw new SvgError(message);
}

/** Scans a text and throws at the first content that is not allowed in a signature. */
function checkSvg(text: string): void {
  const parser = new SaxesParser({ xmlns: false, position: false, defaultXMLVersion: '1.0', forceXMLVersion: true });
  const open: string[] = [];
  let isDrawn = false;
  parser.on('doctype', () => refuse('has a document type (DOCTYPE), which may declare entities'));
  parser.on('cdata', () => refuse('has a CDATA section'));
  parser.on('processinginstruction', () => refuse('has a processing instruction'));
  parser.on('opentagstart', ({ name }) => {
    if (!open.length && name !== 'svg') refuse(`has the root element ${name} instead of svg`);
    if (!ALLOWED.has(name)) refuse(`has an element ${name}, which is not allowed in a signature`);
    if (open.length === MAX_DEPTH) refuse(`nests elements more than ${MAX_DEPTH} deep`);
    isDrawn ||= DRAWING.has(name) && !open.some((outer) => DEFINING.has(outer));
    open.push(name);
  });
  parser.on('attribute', ({ name, value }) => {
    const error = attributeError(name, value);
    if (error) refuse(error);
  });
  parser.on('closetag', () => void open.pop());
  parser.on('error', ({ message }) => refuse(`is not well-formed XML: ${message.replace(/\.$/, '')}`));
  parser.write(text).close();
  if (!isDrawn) refuse('draws nothing');
}

/**
 * What is wrong with the text of an SVG, as the end of a sentence that begins with the field; `undefined` if it is
 * well-formed, draws something and can neither run nor load anything, wherever it is displayed.
 */
function svgError(text: string): string | undefined {
  try {
    checkSvg(text.trim());
    return undefined;
  } catch (error) {
    if (!(error instanceof SvgError)) throw error;
    return `is an SVG that ${error.message}`;
  }
}
