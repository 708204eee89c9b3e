import * as z from 'zod';
import type { StoredEvidence } from '../../lib/domain/signing/verify.ts';
import type { Json } from '../../lib/shared/canonical-json.ts';
import { CommandError } from './output.ts';

/** What is needed to verify an acceptance anywhere, in a file that says how. */
export interface EvidenceFile extends StoredEvidence {
  readonly Format: 'acceptance-evidence-1';
  /** How to verify it by hand. */
  readonly How: string;
  /** When the proposal said what the file has. */
  readonly WrittenAt: string;
}

const HOW =
  'EvidenceSha256 is the SHA-256 of Content as UTF-8 (jq -j .Content file | sha256sum). In Content, ' +
  'Acceptance.SignatureSha256 is the SHA-256 of the picture (jq -r .Signature file | base64 -d | sha256sum). ' +
  'Content.Proposal is what was accepted, Proposal what the proposal said at WrittenAt.';

/** The file of an evidence. */
export const writtenEvidence = (kept: StoredEvidence, now: Date): EvidenceFile => ({
  Format: 'acceptance-evidence-1',
  How: HOW,
  WrittenAt: now.toISOString(),
  ...kept,
});

const schema = () =>
  z.object({
    Format: z.literal('acceptance-evidence-1'),
    How: z.string(),
    AccountId: z.string(),
    ProposalId: z.int(),
    WrittenAt: z.string(),
    Content: z.string(),
    Signature: z.string(),
    EvidenceSha256: z.string(),
    Status: z.string(),
    AcceptedAt: z.string().nullable(),
    Proposal: z.json() as z.ZodType<Json>,
  });

/** The evidence in the text of a file. */
export function readEvidenceFile(text: string): EvidenceFile {
  const fault = 'That file is no evidence of an acceptance as proposal evidence writes it';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CommandError(`${fault}: it is not JSON.`);
  }
  const read = schema().safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new CommandError(`${fault}: ${issue?.path.join('.') || 'it'} is not as it should be.`);
}
