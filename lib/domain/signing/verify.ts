import { type Json, canonical } from '../../shared/objects.ts';
import { type Evidence, fromBase64 } from './evidence.ts';

/** Everything needed to verify an acceptance: the stored evidence, and the current proposal. */
export interface StoredEvidence {
  readonly AccountId: string;
  readonly ProposalId: number;
  /** The evidence as the text that was hashed. */
  readonly Content: string;
  /** The picture, in base64. */
  readonly Signature: string;
  readonly SignatureType: string;
  /** The hash in the proposal. */
  readonly EvidenceSha256: string;
  readonly Status: string;
  readonly AcceptedAt: string | null;
  /** The signed content of the current proposal. */
  readonly Proposal: Json;
  /** The SHA-256 of the fixed fields of the current proposal. */
  readonly RecordSha256: string;
}

export interface Check {
  readonly Check: 'content' | 'signature' | 'acceptance' | 'proposal' | 'known hash';
  readonly Passed: boolean;
  readonly Detail: string;
}

type Sha256 = (data: Uint8Array | string) => string;
type Fields = Readonly<Record<string, Json>>;

const asFields = (value: Json | undefined): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
const formatValue = (value: Json | undefined): string => (value === undefined ? 'absent' : canonical(value));

/** The differences between two values: `Lines[0].UnitPrice was 45 when accepted and is 40`. */
function differences(accepted: Json | undefined, now: Json | undefined, path = ''): string[] {
  const [before, after] = [asFields(accepted), asFields(now)];
  if (before && after)
    return Object.keys(before).flatMap((name) =>
      differences(before[name], after[name], path ? `${path}.${name}` : name),
    );
  if (Array.isArray(accepted) && Array.isArray(now)) {
    const [was, is] = [accepted as readonly Json[], now as readonly Json[]];
    const length = Math.max(was.length, is.length);
    return Array.from({ length }).flatMap((_, index) => differences(was[index], is[index], `${path}[${index}]`));
  }
  const [was, is] = [formatValue(accepted), formatValue(now)];
  return was === is ? [] : [`${path} was ${was} when accepted and is ${is}`];
}

/** The evidence in a content; `undefined` unless it is canonical JSON with both parts. */
function readContent(content: string): Evidence | undefined {
  try {
    const value: unknown = JSON.parse(content);
    const { Proposal, Acceptance } = asFields(value as Json) ?? {};
    const isEvidence = canonical(value as Json) === content && asFields(Proposal) && asFields(Acceptance);
    return isEvidence ? (value as Evidence) : undefined;
  } catch {
    return undefined;
  }
}

function contentCheck({ Content, EvidenceSha256 }: StoredEvidence, sha256: Sha256): Check {
  const found = sha256(Content);
  const Passed = found === EvidenceSha256;
  return {
    Check: 'content',
    Passed,
    Detail: Passed
      ? `The accepted content has the SHA-256 in the proposal: ${found}.`
      : `The accepted content has the SHA-256 ${found}; the proposal has ${EvidenceSha256 || 'none'}.`,
  };
}

function signatureCheck(stored: StoredEvidence, { Acceptance }: Evidence, sha256: Sha256): Check {
  const bytes = fromBase64(stored.Signature);
  const found = bytes ? sha256(bytes) : 'none (not base64)';
  const { SignatureType: type, SignatureSha256: hash } = Acceptance;
  const errors = [
    ...(found === hash ? [] : [`has the SHA-256 ${found}; the accepted content has ${hash}`]),
    ...(stored.SignatureType === type ? [] : [`is stored as ${stored.SignatureType}; it was accepted as ${type}`]),
  ];
  return {
    Check: 'signature',
    Passed: !errors.length,
    Detail: errors.length
      ? `The signature ${errors.join(', and it ')}.`
      : `The signature (${type}) is that of the acceptance: ${found}.`,
  };
}

/** Accepted, and the statuses that can only follow it. */
const SIGNED = ['Accepted', 'Invoiced', 'Scheduled', 'Complete'];

function acceptanceCheck(stored: StoredEvidence, { Proposal, Acceptance }: Evidence): Check {
  const { AccountId, ProposalId, Status, AcceptedAt } = stored;
  const { Name, IpAddress, ByKey } = Acceptance;
  const key = ByKey ? `, by the API key ${JSON.stringify(ByKey.Name)} (${ByKey.Id})` : '';
  const errors = [
    ...(SIGNED.includes(Status) ? [] : [`its status is ${Status}`]),
    ...differences(Acceptance.AccountId, AccountId, 'AccountId'),
    ...differences(Proposal.Id, ProposalId, 'ProposalId'),
    ...differences(Acceptance.AcceptedAt, AcceptedAt, 'AcceptedAt'),
  ];
  const acceptance = `Accepted by ${JSON.stringify(Name)} from ${IpAddress} at ${Acceptance.AcceptedAt}${key}`;
  return {
    Check: 'acceptance',
    Passed: !errors.length,
    Detail: errors.length
      ? `The proposal does not match its acceptance: ${errors.join('; ')}.`
      : `${acceptance}; the proposal is ${Status}.`,
  };
}

function proposalCheck({ Proposal, RecordSha256 }: StoredEvidence, accepted: Evidence): Check {
  const found = differences(accepted.Proposal, Proposal);
  const hash = accepted.Acceptance.RecordSha256;
  const unseen =
    `a stored field that clients do not see (such as a cost, an internal line or the price book) has changed: ` +
    `the SHA-256 of the fixed fields was ${hash} when accepted and is ${RecordSha256}`;
  const errors = found.length || RecordSha256 === hash ? found : [unseen];
  return {
    Check: 'proposal',
    Passed: !errors.length,
    Detail: errors.length
      ? `The proposal differs from what was accepted: ${errors.join('; ')}.`
      : 'The proposal equals what was accepted, field by field.',
  };
}

const unreadable: Check = {
  Check: 'acceptance',
  Passed: false,
  Detail: 'The accepted content is not canonical JSON of a proposal and its acceptance.',
};

function knownCheck({ Content }: StoredEvidence, sha256: Sha256, known: string): Check {
  const found = sha256(Content);
  const Passed = found === known.toLowerCase();
  return {
    Check: 'known hash',
    Passed,
    Detail: Passed
      ? `The known hash matches: ${found}.`
      : `The known hash is ${known}; the accepted content has ${found}.`,
  };
}

/**
 * Verifies an acceptance from what is stored: recalculates both hashes and compares the proposal field by field with
 * what was accepted. `known` is the hash from another source: it reveals a change even if everything stored here was
 * changed consistently.
 */
export function verifyEvidence(stored: StoredEvidence, sha256: Sha256, known?: string): Check[] {
  const evidence = readContent(stored.Content);
  const outside = known === undefined ? [] : [knownCheck(stored, sha256, known)];
  const content = contentCheck(stored, sha256);
  if (!evidence) return [content, unreadable, ...outside];
  const signature = signatureCheck(stored, evidence, sha256);
  return [content, signature, acceptanceCheck(stored, evidence), proposalCheck(stored, evidence), ...outside];
}
