import { type Json, canonical } from '../../shared/canonical-json.ts';
import type { Evidence } from './evidence.ts';

/** All that is needed to verify an acceptance: what is kept of it, and what its proposal says now. */
export interface StoredEvidence {
  readonly AccountId: string;
  readonly ProposalId: number;
  /** The evidence as it was hashed. */
  readonly Content: string;
  /** The picture, in base64. */
  readonly Signature: string;
  /** The hash that the proposal has. */
  readonly EvidenceSha256: string;
  readonly Status: string;
  readonly AcceptedAt: string | null;
  /** What the proposal says now of all that a signature fixes (evidence.ts). */
  readonly Proposal: Json;
}

/** One thing that was looked at; `Detail` is a sentence. */
export interface Check {
  readonly Check: 'content' | 'signature' | 'acceptance' | 'proposal' | 'known hash';
  readonly Passed: boolean;
  readonly Detail: string;
}

type Sha256 = (of: Uint8Array | string) => string;
type Fields = Readonly<Record<string, Json>>;

const fieldsOf = (value: Json | undefined): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
const wordsOf = (value: Json | undefined): string => (value === undefined ? 'not there' : canonical(value));

/** Where two values differ, a sentence each: `Lines[0].UnitPrice was 45 when accepted and is 40`. */
function differences(accepted: Json | undefined, now: Json | undefined, path = ''): string[] {
  const [before, after] = [fieldsOf(accepted), fieldsOf(now)];
  if (before && after)
    return Object.keys(before).flatMap((name) =>
      differences(before[name], after[name], path ? `${path}.${name}` : name),
    );
  if (Array.isArray(accepted) && Array.isArray(now)) {
    const [was, is] = [accepted as readonly Json[], now as readonly Json[]];
    const most = Math.max(was.length, is.length);
    return Array.from({ length: most }).flatMap((_, index) => differences(was[index], is[index], `${path}[${index}]`));
  }
  const [was, is] = [wordsOf(accepted), wordsOf(now)];
  return was === is ? [] : [`${path} was ${was} when accepted and is ${is}`];
}

/** The evidence that a content says, where it is canonical and has all that is looked at; else `undefined`. */
function readContent(content: string): Evidence | undefined {
  try {
    const value = JSON.parse(content) as Json;
    const { Proposal, Acceptance } = fieldsOf(value) ?? {};
    return canonical(value) === content && fieldsOf(Proposal) && fieldsOf(Acceptance)
      ? (value as unknown as Evidence)
      : undefined;
  } catch {
    return undefined;
  }
}

function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function contentCheck({ Content, EvidenceSha256 }: StoredEvidence, sha256: Sha256): Check {
  const found = sha256(Content);
  const Passed = found === EvidenceSha256;
  const says = EvidenceSha256 || 'none at all';
  return {
    Check: 'content',
    Passed,
    Detail: Passed
      ? `The accepted content has the SHA-256 that the proposal says: ${found}.`
      : `The accepted content has the SHA-256 ${found}; the proposal says ${says}.`,
  };
}

function signatureCheck({ Signature }: StoredEvidence, { Acceptance }: Evidence, sha256: Sha256): Check {
  const bytes = bytesOf(Signature);
  const found = bytes ? sha256(bytes) : 'none, for it is not base64';
  const Passed = found === Acceptance.SignatureSha256;
  return {
    Check: 'signature',
    Passed,
    Detail: Passed
      ? `The signature (${Acceptance.SignatureType}) is the one that was signed with: ${found}.`
      : `The signature has the SHA-256 ${found}; the accepted content says ${Acceptance.SignatureSha256}.`,
  };
}

/** Accepted and what can only come after it. */
const SIGNED = ['Accepted', 'Invoiced', 'Scheduled', 'Complete'];

function acceptanceCheck(kept: StoredEvidence, { Proposal, Acceptance }: Evidence): Check {
  const { AccountId, ProposalId, Status, AcceptedAt } = kept;
  const { Name, IpAddress } = Acceptance;
  const errors = [
    ...(SIGNED.includes(Status) ? [] : [`its status is ${Status}`]),
    ...differences(Acceptance.AccountId, AccountId, 'AccountId'),
    ...differences(Proposal.Id, ProposalId, 'ProposalId'),
    ...differences(Acceptance.AcceptedAt, AcceptedAt, 'AcceptedAt'),
  ];
  return {
    Check: 'acceptance',
    Passed: !errors.length,
    Detail: errors.length
      ? `The proposal does not say that it was accepted so: ${errors.join('; ')}.`
      : `Accepted by ${JSON.stringify(Name)} from ${IpAddress} at ${Acceptance.AcceptedAt}; it is ${Status}.`,
  };
}

function proposalCheck({ Proposal }: StoredEvidence, accepted: Evidence): Check {
  const found = differences(accepted.Proposal, Proposal);
  return {
    Check: 'proposal',
    Passed: !found.length,
    Detail: found.length
      ? `The proposal is not what was accepted: ${found.join('; ')}.`
      : 'The proposal says what was accepted, field by field.',
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
    Detail: Passed ? `It is the hash that was given: ${found}.` : `The hash that was given is ${known}, not ${found}.`,
  };
}

/**
 * Verifies an acceptance by nothing but what is kept of it: both hashes are computed anew, and what the proposal says
 * now is compared with what was accepted, field by field. `known` is the hash as somebody else has kept it: with it,
 * even whoever may write everything that is kept here cannot have changed it unseen.
 */
export function verifyEvidence(kept: StoredEvidence, sha256: Sha256, known?: string): Check[] {
  const evidence = readContent(kept.Content);
  const outside = known === undefined ? [] : [knownCheck(kept, sha256, known)];
  const content = contentCheck(kept, sha256);
  if (!evidence) return [content, unreadable, ...outside];
  const signature = signatureCheck(kept, evidence, sha256);
  return [content, signature, acceptanceCheck(kept, evidence), proposalCheck(kept, evidence), ...outside];
}
