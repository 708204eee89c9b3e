import { type ProposalRecord, evidenceEntity } from '../../entities/proposals.ts';
import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { proposalStatusName } from '../../domain/proposals/record.ts';
import { type Signature, fixedFields, signedContent } from '../../domain/signing/evidence.ts';
import type { StoredEvidence } from '../../domain/signing/verify.ts';
import type { Change } from '../dynamodb/changes.ts';
import { attributes, layout } from '../keys.ts';
import type { StoreAccount, StoreReader } from '../store.ts';

/** SHA-256 of bytes, or of a text in UTF-8, in hexadecimal. */
export const sha256 = (data: Uint8Array | string): string => createHash('sha256').update(data).digest('hex');

/**
 * The changes that store the evidence of an acceptance and its signature, permanently. The content is compressed,
 * because it may be as long as its proposal, which just fits in an item.
 */
export const evidenceChanges = (
  { account }: StoreAccount,
  { id, content, signature }: { id: number; content: string; signature: Signature },
): Change[] => [
  { put: { ...layout.evidence.key({ account, id }), Content: gzipSync(content) }, if: 'absent' },
  { put: { ...layout.signature.key({ account, id }), Type: signature.type, Picture: signature.bytes }, if: 'absent' },
];

/**
 * `absent`: no such proposal; `unsigned`: not accepted; `lost`: accepted, but its evidence is missing; `tampered`: its
 * evidence or the proposal was changed and cannot even be read.
 */
export type FoundEvidence =
  | { readonly kind: 'found'; readonly evidence: StoredEvidence }
  | { readonly kind: 'absent' | 'unsigned' | 'lost' }
  | { readonly kind: 'tampered'; readonly part: 'evidence' | 'proposal' };

/** Everything that verifies the acceptance of a proposal, in one BatchGet. */
export async function findEvidence({ table, account }: StoreReader, id: number): Promise<FoundEvidence> {
  const keyPatterns = [layout.proposal, layout.evidence, layout.signature] as const;
  const items = await table.getMany(
    keyPatterns.map((keyPattern) => keyPattern.key({ account, id })),
    { consistent: true },
  );
  const [proposalItem, evidence, signature] = keyPatterns.map((keyPattern) =>
    items.find(({ SK }) => SK === keyPattern.sort),
  );
  if (!proposalItem) return { kind: 'absent' };
  // As stored: a field that somebody removed must not get its default value back.
  const proposal = proposalItem as typeof proposalItem & ProposalRecord;
  const { AcceptedAt, EvidenceSha256, Status } = proposal;
  if (!evidence && !signature && !EvidenceSha256 && AcceptedAt === null) return { kind: 'unsigned' };
  if (!evidence || !signature) return { kind: 'lost' };
  const Content = attempt(() => gunzipSync(evidenceEntity.read(evidence).Content).toString());
  if (Content === undefined) return { kind: 'tampered', part: 'evidence' };
  if (proposalItem[attributes.entity] !== 'Proposal') return { kind: 'tampered', part: 'proposal' };
  const current = attempt(() => ({
    EvidenceSha256: String(EvidenceSha256),
    Status: proposalStatusName(Status),
    AcceptedAt: AcceptedAt === null ? null : new Date(AcceptedAt).toISOString(),
    Proposal: signedContent(proposal),
    RecordSha256: sha256(fixedFields(proposal)),
  }));
  if (!current) return { kind: 'tampered', part: 'proposal' };
  const { Type, Picture } = signature;
  return {
    kind: 'found',
    evidence: {
      AccountId: account,
      ProposalId: id,
      Content,
      Signature: Picture instanceof Uint8Array ? Buffer.from(Picture).toString('base64') : '',
      SignatureType: typeof Type === 'string' ? Type : 'no type',
      ...current,
    },
  };
}

/** The result of a read; `undefined` if the bytes or fields do not have the form that was stored. */
function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
