import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readEvidenceFile } from '../../../infra/cli/commands/proposals.ts';
import type { Evidence } from '../../../lib/domain/signing/evidence.ts';
import { type Check, verifyEvidence } from '../../../lib/domain/signing/verify.ts';
import { type Json, canonical } from '../../../lib/shared/objects.ts';
import { writeAccount } from '../../../lib/store/accounts/accounts.ts';
import type { Item } from '../../../lib/store/dynamodb/changes.ts';
import { openTable } from '../../../lib/store/dynamodb/table.ts';
import { findEvidence, sha256, evidenceChanges } from '../../../lib/store/sales/evidence.ts';
import { layout } from '../../../lib/store/keys.ts';
import { proposalChanges } from '../../../lib/store/sales/proposals.ts';
import { type TestTable, startTable } from '../../support/stack/engine.ts';
import { runTool, withEnvironment } from '../../support/cli.ts';
import { AT, accepted, accepting, someProposal } from '../../support/evidence.ts';
import { accountStore } from '../../../lib/store/store.ts';

let engine: TestTable;
let folder: string;
let account: string;
let items: Item[];

/** Runs the tool, which finds no stack but the one that FS_DATA names. */
const run = (words: readonly string[], environment: Record<string, string> = { FS_DATA: folder }) =>
  withEnvironment(environment, () => runTool(['proposal', ...words]));

/** The checks that fail of proposal 12 as it is in the table. */
async function failing(known?: string) {
  const found = await findEvidence(accountStore(openTable(), account), 12);
  const checks = found.kind === 'found' ? verifyEvidence(found.evidence, sha256, known) : [];
  return checks.flatMap(({ Check, Passed }) => (Passed ? [] : [Check]));
}

/** What verification says of proposal 12 as it is in the table. */
async function verdict(): Promise<'verified' | 'not verified'> {
  const found = await findEvidence(accountStore(openTable(), account), 12);
  const checks = found.kind === 'found' ? verifyEvidence(found.evidence, sha256) : [];
  return checks.length > 0 && checks.every(({ Passed }) => Passed) ? 'verified' : 'not verified';
}

const put = (...changed: Item[]) => openTable().putMany(changed);
const item = (sort: string): Item => {
  const found = items.find(({ SK }) => SK === sort);
  if (!found) throw new Error(`no ${sort}`);
  return found;
};
/** The bytes with one changed in the checksum at their end. */
const flipByte = (bytes: Uint8Array): Uint8Array => bytes.with(bytes.length - 6, (bytes.at(-6) ?? 0) ^ 1);

/** Values that differ from a stored one: itself changed, and for a list or object each value in it. */
function otherValues(value: unknown): unknown[] {
  if (typeof value === 'number') return [value + 1];
  if (typeof value === 'string') return [`${value}x`, ''].filter((other) => other !== value);
  if (typeof value === 'boolean') return [!value];
  if (value instanceof Uint8Array) return [flipByte(value), Uint8Array.of(1), 'text'];
  if (Array.isArray(value))
    return [
      [...(value as unknown[]), 'more'],
      ...value.flatMap((each, index) => otherValues(each).map((other) => value.with(index, other) as unknown[])),
    ];
  if (value === null) return ['something'];
  return Object.entries(value as object).flatMap(([name, each]) =>
    otherValues(each).map((other) => ({ ...(value as object), [name]: other })),
  );
}

const made = () => accepted(someProposal(), { account: account });

beforeAll(async () => {
  engine = await startTable();
  folder = await mkdtemp(join(tmpdir(), 'evidence-'));
  ({ account } = await writeAccount(openTable(), { name: 'Blue Sky', now: new Date(AT) }));
  const stack = {
    AccountId: account,
    DynamoDBEndpoint: engine.endpoint,
    TableName: engine.tableName,
    Region: 'us-east-1',
  };
  await writeFile(join(folder, 'local.json'), JSON.stringify(stack));
  const { proposal, content } = made();
  const { change } = proposalChanges({ account }, { before: undefined, after: proposal, now: new Date(AT) });
  const open = proposalChanges({ account }, { before: undefined, after: someProposal({ Id: 13 }), now: new Date(AT) });
  await openTable().commit([
    change,
    open.change,
    ...evidenceChanges({ account }, { id: 12, content, signature: accepting.signature }),
  ]);
  const keyPatterns = [layout.proposal, layout.evidence, layout.signature];
  items = await openTable().getMany(keyPatterns.map((keyPattern) => keyPattern.key({ account, id: 12 })));
});
afterEach(() => put(...items));
afterAll(async () => {
  await rm(folder, { recursive: true });
  await engine.stop();
});

describe('proposal verify', () => {
  test('lists the checks of a valid acceptance and exits with 0', async () => {
    const { EvidenceSha256 } = made().proposal;
    const { code, stdout } = await run(['verify', '12', '--sha256', EvidenceSha256]);
    expect([code, stdout.split('\n')]).toEqual([
      0,
      [
        expect.stringMatching(
          /^ok {6}content {5}The accepted content has the SHA-256 in the proposal: [0-9a-f]{64}\.$/,
        ),
        expect.stringMatching(/^ok {6}signature {3}The signature \(image\/png\) is that of the acceptance/),
        'ok      acceptance  Accepted by "Ana Diaz" from 198.51.100.7 at 2026-11-21T15:30:00.000Z; the proposal is Accepted.',
        'ok      proposal    The proposal equals what was accepted, field by field.',
        `ok      known hash  The known hash matches: ${EvidenceSha256}.`,
        'Proposal 12 is verified.',
        '',
      ],
    ]);
  });

  const evidenceWith = (change: (evidence: { Proposal: object; Acceptance: object }) => void): Item => {
    const evidence = JSON.parse(made().content) as Evidence;
    change(evidence);
    return { ...item('EVIDENCE'), Content: gzipSync(canonical(evidence as unknown as Json)) };
  };
  const rename = () => evidenceWith(({ Acceptance }) => Object.assign(Acceptance, { Name: 'Eve' }));
  const hashOf = ({ Content }: Item) => sha256(gunzipSync(Content as Uint8Array));

  test.each<[string, () => Item[], string[]]>([
    [
      'the content',
      () => [evidenceWith(({ Proposal }) => Object.assign(Proposal, { Subtotal: 1 }))],
      ['content', 'proposal'],
    ],
    ['the name', () => [rename()], ['content']],
    [
      'the name, and the hash with it',
      () => [rename(), { ...item('PROPOSAL'), EvidenceSha256: hashOf(rename()) }],
      ['known hash'],
    ],
    ['the signature', () => [{ ...item('SIGNATURE'), Picture: Uint8Array.of(1, 2) }], ['signature']],
    ['the hash', () => [{ ...item('PROPOSAL'), EvidenceSha256: sha256('another') }], ['content']],
    [
      'the price of a line',
      () => [{ ...item('PROPOSAL'), Lines: someProposal().Lines.map((line) => ({ ...line, UnitPrice: 1 })) }],
      ['proposal'],
    ],
    ['the status', () => [{ ...item('PROPOSAL'), Status: 1 }], ['acceptance']],
  ])('finds a change of %s in the table', async (_, tamper, checks) => {
    await put(...tamper());
    expect(await failing(checks.includes('known hash') ? made().proposal.EvidenceSha256 : undefined)).toEqual(checks);
  });

  /** What may change after signing, besides the status. */
  const CHANGEABLE = [
    'ProposalNotes',
    'OwnerUserId',
    'CustomFields',
    'AccountingClass',
    'ChangeOrders',
    'BundledProposals',
    'DepositCredits',
    'Billed',
    'VisitsToQueue',
    'Updated',
    'V',
  ];
  /** What the table finds an item by; that of the indexes changes with the fields above. */
  const isKey = (name: string) => /^(PK|SK|F|GSI\d(PK|SK))$/.test(name);

  test('finds a change or removal of each stored attribute but those that may change after signing', async () => {
    const unnoticed: string[] = [];
    for (const before of items)
      for (const name of Object.keys(before).filter((each) => !CHANGEABLE.includes(each) && !isKey(each))) {
        const { [name]: value, ...without } = before;
        for (const after of [...otherValues(value).map((other) => ({ ...before, [name]: other })), without as Item]) {
          await put(after);
          if ((await verdict()) === 'verified') unnoticed.push(`${before.SK}: ${name} as ${inspect(after[name])}`);
        }
        await put(before);
      }
    expect(unnoticed).toEqual([]);
  });

  test('passes whatever may change after signing', async () => {
    for (const name of CHANGEABLE) {
      await put({ ...item('PROPOSAL'), [name]: ['changed'] });
      expect([name, await verdict()]).toEqual([name, 'verified']);
    }
    for (const Status of [4, 5, 6]) {
      await put({ ...item('PROPOSAL'), Status });
      expect([Status, await verdict()]).toEqual([Status, 'verified']);
    }
  });

  test.each<[string, () => Item, string]>([
    [
      'evidence that cannot be decompressed',
      () => ({ ...item('EVIDENCE'), Content: Uint8Array.of(0x1f, 0x8b, 8, 1, 2, 3) }),
      'evidence in the table has been tampered with and cannot be decompressed.',
    ],
    [
      'compressed evidence with a changed byte',
      () => ({ ...item('EVIDENCE'), Content: flipByte(item('EVIDENCE')['Content'] as Uint8Array) }),
      'evidence in the table has been tampered with and cannot be decompressed.',
    ],
    [
      'a proposal without its lines',
      () => ({ ...item('PROPOSAL'), Lines: 'none' }),
      'record in the table has been tampered with and cannot be read.',
    ],
  ])('reports %s as tampered, in one sentence', async (_, tamper, message) => {
    await put(tamper());
    for (const command of ['verify', 'evidence'])
      expect(await run([command, '12'])).toEqual({
        code: 1,
        stdout: '',
        stderr: `Proposal 12 is NOT verified: its ${message}\n`,
      });
  });

  test('reports which value was changed, as text and as JSON, and exits with 1', async () => {
    await put({ ...item('PROPOSAL'), Subtotal: 13.4 });
    const [{ code, stdout }, machine] = await Promise.all([run(['verify', '12']), run(['verify', '12', '--json'])]);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^FAILED {2}proposal .*; Subtotal was 1340 when accepted and is 13\.4;/m),
    ]);
    expect(stdout).toMatch(/\nProposal 12 is NOT verified: 1 of 4 checks failed\.\n$/);
    const { Verified, Checks } = JSON.parse(machine.stdout) as { Verified: boolean; Checks: Check[] };
    expect([machine.code, Verified, Checks.map(({ Passed }) => Passed)]).toEqual([1, false, [true, true, true, false]]);
  });

  test('reports missing evidence, and hashes that are not hashes', async () => {
    await openTable().putMany([], [layout.signature.key({ account, id: 12 })]);
    const [open, lost, misused] = await Promise.all(
      [['13'], ['12'], ['12', '--sha256', 'abc']].map((words) => run(['verify', ...words])),
    );
    expect(open).toEqual({ code: 1, stdout: '', stderr: 'Proposal 13 is not accepted.\n' });
    expect(await findEvidence(accountStore(openTable(), account), 14)).toEqual({ kind: 'absent' });
    expect(lost).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('its evidence or signature is missing') as string,
    });
    expect(misused).toMatchObject({ code: 2, stderr: expect.stringContaining('64 hexadecimal digits') as string });
  });
});

describe('proposal evidence', () => {
  const nowhere = { FS_DATA: '/nowhere' };

  test('writes a file that needs no stack to be verified, and in which every change is found', async () => {
    const file = join(folder, 'evidence.json');
    expect(await run(['evidence', '12', '--out', file])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const text = await readFile(file, 'utf8');
    const { Content, EvidenceSha256 } = JSON.parse(text) as { Content: string; EvidenceSha256: string };
    expect(sha256(Content)).toBe(EvidenceSha256);
    expect(await run(['verify', file, '--sha256', EvidenceSha256], nowhere)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Proposal 12 is verified.') as string,
    });
    const alone = await run(['verify', file, '--json'], nowhere);
    expect([alone.code, JSON.parse(alone.stdout)]).toMatchObject([1, { Verified: false, Consistent: true }]);
    const verdicts = (await run(['verify', file], nowhere)).stdout;
    expect(verdicts).toContain('\nProposal 12 is consistent with itself; origin not proven.');
    for (const [was, is, check] of [
      ['Ana Diaz', 'Ana Dias', 'content'],
      ['"Subtotal": 1340', '"Subtotal": 1339', 'proposal'],
      ['"ProposalId": 12', '"ProposalId": 13', 'acceptance'],
      [EvidenceSha256, sha256('another'), 'content'],
      ['"Signature": "iVBOR', '"Signature": "iVBOT', 'signature'],
      ['"SignatureType": "image/png"', '"SignatureType": "image/svg+xml"', 'signature'],
      ['"RecordSha256": "', '"RecordSha256": "0', 'proposal'],
    ] as const) {
      expect(text.split(was).length, was).toBe(2);
      const checks = verifyEvidence(readEvidenceFile(text.replace(was, is)), sha256);
      expect(checks.filter(({ Passed }) => !Passed).map(({ Check }) => Check)).toEqual([check]);
    }
  });

  test('prints no control characters of a file', async () => {
    const [file, steering] = [join(folder, 'sound.json'), join(folder, 'steering.json')];
    await run(['evidence', '12', '--out', file]);
    const text = await readFile(file, 'utf8');
    await writeFile(steering, text.replace('198.51.100.7', String.raw`\\u001b[2J`));
    const { code, stdout } = await run(['verify', steering], nowhere);
    expect([code, stdout]).toEqual([1, expect.stringContaining('from  [2J')]);
    expect(stdout).not.toContain('\u001b');
  });

  test('replaces a file only with --force, and refuses files that are not evidence', async () => {
    const [older, other] = [join(folder, 'older.json'), join(folder, 'other.json')];
    await Promise.all([writeFile(older, '{}'), writeFile(other, 'Ana')]);
    const [gone, there, odd, words] = await Promise.all([
      run(['verify', 'nowhere.json'], nowhere),
      run(['evidence', '12', '--out', older]),
      run(['verify', older], nowhere),
      run(['verify', other], nowhere),
    ]);
    expect([gone.code, gone.stderr]).toEqual([
      1,
      expect.stringContaining('neither the id of a proposal nor an evidence file'),
    ]);
    expect([there.code, there.stderr, await readFile(older, 'utf8')]).toEqual([
      1,
      `${older} exists and is replaced. Confirm with --force.\n`,
      '{}',
    ]);
    expect((await run(['evidence', '12', '--out', older, '--force'])).code).toBe(0);
    expect([readEvidenceFile(await readFile(older, 'utf8')).ProposalId, (await stat(older)).mode & 0o777]).toEqual([
      12, 0o600,
    ]);
    const astray = join(folder, 'no', 'file.json');
    expect((await run(['evidence', '12', '--out', astray])).stderr).toBe(
      `The folder ${join(folder, 'no')} does not exist.\n`,
    );
    expect([odd.code, odd.stderr]).toEqual([1, expect.stringContaining('Format is invalid.')]);
    expect([words.code, words.stderr]).toEqual([1, expect.stringContaining('it is not JSON.')]);
  });
});
