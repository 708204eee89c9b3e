import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import * as z from 'zod';
import { type Check, verifyEvidence } from '../../../lib/domain/signing/verify.ts';
import type { Json } from '../../../lib/shared/objects.ts';
import { findEvidence, sha256 } from '../../../lib/store/sales/evidence.ts';
import { examples } from '../examples.ts';
import { readInput } from '../input-file.ts';
import { CommandError, ReportedError, print } from '../output.ts';
import { type OutputOptions, outputOptions, writeOutput } from '../output-file.ts';
import { jsonOption } from '../options.ts';
import { type AccountOption, accountOption, findAccountId, openTarget } from '../target.ts';
import { recordId, sha256Hash } from '../values.ts';
import { accountStore } from '../../../lib/store/store.ts';

/** Everything needed to verify an acceptance anywhere, with instructions for doing it by hand. */
const EvidenceFile = z.object({
  Format: z.literal('acceptance-evidence-1'),
  How: z.string(),
  AccountId: z.string(),
  ProposalId: z.int(),
  WrittenAt: z.string(),
  Content: z.string(),
  Signature: z.string(),
  SignatureType: z.string(),
  EvidenceSha256: z.string(),
  Status: z.string(),
  AcceptedAt: z.string().nullable(),
  Proposal: z.json() as z.ZodType<Json>,
  RecordSha256: z.string(),
});
type EvidenceFile = z.infer<typeof EvidenceFile>;

const HOW =
  'EvidenceSha256 is the SHA-256 of Content as UTF-8 (jq -j .Content file | sha256sum). In Content, ' +
  'Acceptance.SignatureSha256 is the SHA-256 of the picture (jq -r .Signature file | base64 -d | sha256sum). ' +
  'Content.Proposal is the proposal as accepted, Proposal the proposal at WrittenAt. RecordSha256 is the SHA-256 of ' +
  'all its stored fields that cannot change once it is signed, at WrittenAt; Acceptance.RecordSha256, as accepted.';

const TAMPERED = {
  evidence: 'evidence in the table has been tampered with and cannot be decompressed',
  proposal: 'record in the table has been tampered with and cannot be read',
};

export function readEvidenceFile(text: string): EvidenceFile {
  const message = 'The file is not an evidence file of proposal evidence';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CommandError(`${message}: it is not JSON.`);
  }
  const result = EvidenceFile.safeParse(value);
  if (result.success) return result.data;
  const path = result.error.issues[0]?.path.join('.');
  throw new CommandError(`${message}: ${path ? `${path} is invalid` : 'it is not a JSON object'}.`);
}

/** A proposal's evidence, read from the table. */
async function loadEvidence(id: number, options: AccountOption): Promise<EvidenceFile> {
  const account = findAccountId(options);
  const found = await findEvidence(accountStore(openTarget(), account), id);
  if (found.kind === 'found')
    return { Format: 'acceptance-evidence-1', How: HOW, WrittenAt: new Date().toISOString(), ...found.evidence };
  if (found.kind === 'tampered') throw new CommandError(`Proposal ${id} is NOT verified: its ${TAMPERED[found.part]}.`);
  const messages = {
    absent: `Account ${account} has no proposal ${id}.`,
    unsigned: `Proposal ${id} is not accepted.`,
    lost: `Proposal ${id} is accepted, but its evidence or signature is missing from the table.`,
  };
  throw new CommandError(messages[found.kind]);
}

/**
 * `consistent`: everything stored matches, but could have been changed together, because no external hash was given.
 */
type Verdict = 'verified' | 'consistent' | 'failed';

/** `ok       content     The accepted content has …`, a line for each check, and the verdict. */
function formatVerdict(checks: readonly Check[], id: number, verdict: Verdict): string {
  const failed = checks.filter(({ Passed }) => !Passed).length;
  // A file may contain control characters that affect the terminal, so they are printed as spaces.
  const lines = checks.map(({ Check, Passed, Detail }) =>
    [Passed ? 'ok    ' : 'FAILED', Check.padEnd(10), Detail.replaceAll(/\p{Cc}/gu, ' ')].join('  '),
  );
  const verdicts: Record<Verdict, string> = {
    verified: `Proposal ${id} is verified.`,
    consistent:
      `Proposal ${id} is consistent with itself; origin not proven. Give the hash from the answer, event or log of ` +
      'the acceptance with --sha256.',
    failed: `Proposal ${id} is NOT verified: ${failed} of ${checks.length} checks failed.`,
  };
  return [...lines, verdicts[verdict]].join('\n');
}

interface VerifyOptions extends AccountOption {
  readonly sha256?: string;
  readonly json?: boolean;
}

/** Exits with 0 only if an external hash verifies the acceptance. An evidence file does not need the table. */
async function verify(idOrFile: string, { sha256: known, json, ...options }: VerifyOptions): Promise<void> {
  const isId = /^\d+$/.test(idOrFile);
  if (!isId && !existsSync(idOrFile))
    throw new CommandError(`${idOrFile} is neither the id of a proposal nor an evidence file.`);
  const evidence = isId ? await loadEvidence(recordId(idOrFile), options) : readEvidenceFile(readInput(idOrFile));
  const checks = verifyEvidence(evidence, sha256, known);
  const Consistent = checks.every(({ Passed }) => Passed);
  const Verified = Consistent && known !== undefined;
  const verdict = Verified ? 'verified' : Consistent ? 'consistent' : 'failed';
  const { AccountId, ProposalId } = evidence;
  const text = formatVerdict(checks, ProposalId, verdict);
  print({ AccountId, ProposalId, Verified, Consistent, Checks: checks }, { json, text });
  if (!Verified) throw new ReportedError();
}

async function writeEvidence(id: number, options: AccountOption & OutputOptions): Promise<void> {
  // Only the owner may read a signature.
  await writeOutput(`${JSON.stringify(await loadEvidence(id, options), null, 2)}\n`, options);
}

/** `proposal verify`, `evidence`. */
export function proposalCommands(program: Command): void {
  const proposal = program.command('proposal').description('Verify acceptances and write their evidence');
  examples(
    jsonOption(accountOption(proposal.command('verify'))),
    'npx fs proposal verify 12 --sha256 <hash of the answer, event or log of the acceptance>',
    'npx fs proposal verify proposal-12.json --sha256 <hash>',
  )
    .description(
      'Check the hashes of an acceptance and compare the accepted proposal with the current one. Exits with 0 only ' +
        'if all checks pass and --sha256 proves where the acceptance is from',
    )
    .argument('<id|file>', 'proposal id, or a file of proposal evidence, which needs no stack')
    .option('--sha256 <hash>', 'hash from the answer, event or log of the acceptance', sha256Hash)
    .action(verify);
  examples(
    outputOptions(accountOption(proposal.command('evidence'))),
    'npx fs proposal evidence 12 --out proposal-12.json',
  )
    .description('Write everything that verifies an acceptance, including the signature')
    .argument('<id>', 'proposal id', recordId)
    .action(writeEvidence);
}
