import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { type Check, verifyEvidence } from '../../../lib/domain/signing/verify.ts';
import { findEvidence, sha256 } from '../../../lib/store/evidence.ts';
import { type EvidenceFile, readEvidenceFile, writtenEvidence } from '../evidence-file.ts';
import { CommandError, print } from '../output.ts';
import { findAccountId, openTarget } from '../target.ts';
import { hash, record } from '../values.ts';

interface Options {
  readonly account?: string;
}

interface VerifyOptions extends Options {
  readonly sha256?: string;
  readonly json?: boolean;
}

/** The evidence of a proposal as it is in the table. */
async function evidenceOf(id: number, options: Options): Promise<EvidenceFile> {
  const account = findAccountId(options);
  const found = await findEvidence(openTarget(), account, id);
  if (found.kind === 'found') return writtenEvidence(found.evidence, new Date());
  const why = {
    absent: `Account ${account} has no proposal ${id}.`,
    unsigned: `Proposal ${id} has not been accepted.`,
    lost: `Proposal ${id} says that it was accepted, and its evidence or signature is gone.`,
  };
  throw new CommandError(why[found.kind]);
}

/** `ok       content     The accepted content has …`, a line a check, and the verdict. */
function verdictText(checks: readonly Check[], id: number): string {
  const failed = checks.filter(({ Passed }) => !Passed).length;
  // A file may hold anything: what would steer the terminal is shown as a blank.
  const lines = checks.map(({ Check, Passed, Detail }) =>
    [Passed ? 'ok    ' : 'FAILED', Check.padEnd(10), Detail.replaceAll(/\p{Cc}/gu, ' ')].join('  '),
  );
  const verdict = failed
    ? `Proposal ${id} is NOT verified: ${failed} of ${checks.length} checks failed.`
    : `Proposal ${id} is verified.`;
  return [...lines, verdict].join('\n');
}

/** Ends with 1 where a check fails; `what` is an id, or a file, for which no table is asked. */
async function verify(what: string, { sha256: known, json, ...options }: VerifyOptions): Promise<void> {
  const isId = /^\d+$/.test(what);
  if (!isId && !existsSync(what))
    throw new CommandError(`${what} is neither the id of a proposal nor a file of evidence.`);
  const file = isId ? await evidenceOf(record(what), options) : readEvidenceFile(readFileSync(what, 'utf8'));
  const checks = verifyEvidence(file, sha256, known);
  const Verified = checks.every(({ Passed }) => Passed);
  const { AccountId, ProposalId } = file;
  print({ AccountId, ProposalId, Verified, Checks: checks }, { json, text: verdictText(checks, ProposalId) });
  if (!Verified) process.exitCode = 1;
}

async function evidence(id: number, { out, ...options }: Options & { out?: string }): Promise<void> {
  const text = `${JSON.stringify(await evidenceOf(id, options), null, 2)}\n`;
  // A signature is nobody else's business, and an older file may be evidence too.
  if (out === undefined) process.stdout.write(text);
  else writeFileSync(out, text, { flag: 'wx', mode: 0o600 });
}

/** `proposal verify`, `evidence`. */
export function proposalCommands(program: Command): void {
  const proposal = program.command('proposal').description('evidence of what clients have accepted');
  const account = ['--account <id>', "the account; the local stack's own unless said otherwise"] as const;
  proposal
    .command('verify')
    .description('compute the hashes of an acceptance, and compare what was accepted with what the proposal says now')
    .argument('<id|file>', 'the proposal, or a file of proposal evidence, for which no stack is needed')
    .option(...account)
    .option('--sha256 <hash>', 'the hash as it was told then: by the answer, the event or the log', hash)
    .option('--json', 'answer for machines')
    .action(verify);
  proposal
    .command('evidence')
    .description('write down all that verifies an acceptance, with the signature')
    .argument('<id>', 'the proposal', record)
    .option(...account)
    .option('--out <file>', 'where; a file that is there already is left as it is')
    .action(evidence);
}
