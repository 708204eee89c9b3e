import type { ProposalRecord } from '../../../lib/entities/proposals.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { depositInvoice } from '../../../lib/domain/invoices/record.ts';
import { acceptanceError } from '../../../lib/domain/proposals/acceptance.ts';
import { depositDue } from '../../../lib/domain/proposals/record.ts';
import type { Evidence } from '../../../lib/domain/signing/evidence.ts';
import { type StoredEvidence, verifyEvidence } from '../../../lib/domain/signing/verify.ts';
import { type Json, canonical } from '../../../lib/shared/objects.ts';
import { sha256 } from '../../../lib/store/sales/evidence.ts';
import { AT, accepted, accepting, storedEvidence, someProposal } from '../../support/evidence.ts';

type Path = readonly (string | number)[];

/** Every value within a value that is neither object nor list, by its path. */
function leaves(value: Json, path: Path = []): Path[] {
  if (value === null || typeof value !== 'object') return [path];
  return Object.entries(value).flatMap(([name, of]) => leaves(of as Json, [...path, name]));
}

/** The value with one leaf another. */
function changed(value: Json, [name, ...path]: Path): Json {
  if (name === undefined)
    return typeof value === 'number' ? value + 0.01 : value === true ? false : `${String(value)} `;
  const copy = structuredClone(value) as Record<string, Json>;
  copy[name] = changed(copy[name] ?? null, path);
  return copy;
}

const reversed = (value: Json): Json => {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, of]) => [name, reversed(of)]),
  );
};

test('the evidence of an acceptance by a key names the key, and that by a client on a page has none', () => {
  const key = { id: 'k1', name: 'Office app' };
  const [byKey, onPage] = [accepted(someProposal(), { key }), accepted()];
  const acceptanceOf = ({ content }: typeof byKey) => (JSON.parse(content) as Evidence).Acceptance;
  expect(acceptanceOf(byKey).ByKey).toEqual({ Id: 'k1', Name: 'Office app' });
  expect(acceptanceOf(onPage)).not.toHaveProperty('ByKey');
  const details = verifyEvidence(storedEvidence(byKey), sha256).map(({ Detail }) => Detail);
  expect(details.join(' ')).toContain('by the API key "Office app" (k1); the proposal is Accepted.');
});

describe('the canonical text of a value', () => {
  test.each<[Json, string]>([
    [{ b: 1, a: [true, null, 'x'], C: {} }, '{"C":{},"a":[true,null,"x"],"b":1}'],
    [{ '€': 1, '\r': 2, '\ufb33': 3, 1: 4, '😀': 5, ö: 6 }, '{"\\r":2,"1":4,"ö":6,"€":1,"😀":5,"\ufb33":3}'],
    [[1340, 107.2, 0.1, 1e21, 1e-7, -0, 4.5], '[1340,107.2,0.1,1e+21,1e-7,0,4.5]'],
    ['"\\\n\u0001é', '"\\"\\\\\\n\\u0001é"'],
  ])('is as RFC 8785 has it: %j', (value, text) => {
    expect(canonical(value)).toBe(text);
  });

  test('is the same for every order of keys, and without spaces', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonical(value as Json);
        expect(canonical(reversed(value as Json))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(canonical({ a: [1, { b: 2 }], c: null })).not.toMatch(/\s/);
  });

  test.each([NaN, Infinity])('refuses %s', (value) => {
    expect(() => canonical([value])).toThrow('is not a JSON number');
  });
});

describe('an acceptance', () => {
  test('signs the proposal, and stores what was signed, by whom, and how', () => {
    const { proposal, content } = accepted();
    expect(proposal).toEqual({
      ...someProposal(),
      Status: 2,
      AcceptedAt: AT,
      EvidenceSha256: sha256(content),
      DepositInvoiceId: 5,
    });
    const { Proposal, Acceptance } = JSON.parse(content) as Evidence;
    expect(Acceptance).toEqual({
      AccountId: 'blue',
      Name: 'Ana Diaz',
      IpAddress: '198.51.100.7',
      AcceptedAt: '2026-11-21T15:30:00.000Z',
      SignatureType: 'image/png',
      SignatureSha256: sha256(accepting.signature.bytes),
      RecordSha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    expect(Proposal).toMatchObject({
      Id: 12,
      Subtotal: 1340,
      Tax: 107.2,
      Total: 1447.2,
      TaxRate: { Name: 'County', Percent: 8 },
      Deposit: 180.9,
      DepositRate: 12.5,
      Options: [{ Selected: false }, { Name: 'Better', Selected: true }, { Selected: false }],
      Lines: [
        { Id: 1, Counts: false },
        { Id: 2, Counts: true, OptionId: 2, ExtendedTotal: 300, LineTax: 24 },
      ],
    });
  });

  test('stores no costs and no internal lines, nor lines within an internal assembly', () => {
    const lines = someProposal().Lines.map((line) => ({ ...line, UnitCost: 66.66 }));
    const item = { ...lines[1], Id: 8, AssemblyLineId: 3, LineDescription: 'Hidden' } as (typeof lines)[number];
    const { content } = accepted(someProposal({ Lines: [...lines, item] }));
    for (const word of ['66.66', '77.77', 'Ladder hire', 'Hidden', 'UnitCost']) expect(content).not.toContain(word);
  });

  test('makes the deposit an open invoice of one untaxed line', () => {
    const input = { Id: 5, Number: '5', lineId: 9, at: AT };
    expect(depositInvoice(someProposal(), input)).toMatchObject({
      Id: 5,
      Number: '5',
      ProposalId: 12,
      ContactId: 7,
      OrganizationId: 1,
      InvoiceType: 1,
      Status: 1,
      Date: AT,
      Subtotal: 180.9,
      Tax: 0,
      Total: 180.9,
      BalanceDue: 180.9,
      Lines: [
        {
          Id: 9,
          ServiceId: 3,
          Description: 'Deposit of 12.5 % for Front of the house',
          Rate: 180.9,
          Extended: 180.9,
          Taxable: false,
        },
      ],
    });
    expect(depositInvoice(someProposal({ DepositRequired: null }), input)).toBeUndefined();
    expect(accepted(someProposal(), { depositInvoiceId: null }).proposal.DepositInvoiceId).toBeNull();
  });

  test.each([
    // 10 % of 1,447.20
    [{ DepositRate: 10 }, 144.72],
    // 33.3333 % of 1,447.20 = 482.3995176
    [{ DepositRate: 33.3333 }, 482.4],
    // 12.5 % of 0.20 = 0.025, halves away from zero; by way of four decimals it is the same
    [{ DepositRate: 12.5, Subtotal: 0.2, Tax: 0 }, 0.03],
    // 10.0495 % of 10.00 = 1.00495, which four decimals would make 1.005 and then 1.01
    [{ DepositRate: 10.0495, Subtotal: 10, Tax: 0 }, 1],
    [{ DepositRate: 100 }, 1447.2],
    [{ DepositRate: 0 }, 0],
    [{ DepositRate: null }, 0],
    [{ DepositRequired: false }, 0],
    [{ Subtotal: -100, Tax: -8 }, 0],
    [{ Subtotal: 0, Tax: 0 }, 0],
  ])('of %j makes a deposit of %d', (input, deposit) => {
    expect(depositDue(someProposal(input))).toBe(deposit);
  });

  const service = (Service: ProposalRecord['Book']['Service']) => ({ Book: { ...someProposal().Book, Service } });
  test.each<[string, Partial<ProposalRecord>, string]>([
    ['is Internal', { Status: 0 }, 'Proposal 12 is Internal. Only an Open proposal can be accepted.'],
    ['is Accepted', { Status: 2 }, 'Proposal 12 is Accepted. Only an Open proposal can be accepted.'],
    ['is Declined', { Status: 3 }, 'Proposal 12 is Declined. Only an Open proposal can be accepted.'],
    ['expires now', { ExpiresAt: AT }, 'Proposal 12 is Expired. Only an Open proposal can be accepted.'],
    [
      'has too few options',
      service({ MinimumOptions: 2 }),
      'Proposal 12 has 1 of its options selected; its service requires 2 (MinimumOptions).',
    ],
    [
      'is too small',
      service({ MinimumSubtotal: 1340.01 }),
      'Proposal 12 comes to 1,340.00; its service requires 1,340.01 (MinimumSubtotal).',
    ],
  ])('is refused where the proposal %s', (_, input, message) => {
    expect(acceptanceError(someProposal(input), AT)?.message).toBe(message);
  });

  test('goes through up to the moment of expiry, and with the minimums met exactly', () => {
    const least = { ...service({ MinimumOptions: 1, MinimumSubtotal: 1340 }), ExpiresAt: AT + 1 };
    expect(acceptanceError(someProposal(least), AT)).toBeUndefined();
  });
});

describe('the hash of an evidence', () => {
  const evidence = JSON.parse(accepted().content) as Json;

  test('is another with every single value changed', () => {
    const all = leaves(evidence);
    expect(all.length).toBeGreaterThan(60);
    const hashes = all.map((path) => sha256(canonical(changed(evidence, path))));
    expect(new Set([...hashes, sha256(canonical(evidence))]).size).toBe(all.length + 1);
  });

  test('is another with another signature, name, address or moment', () => {
    const picture = { type: 'image/png', bytes: Uint8Array.of(1) } as const;
    const others = [{}, { name: 'Ana Dias' }, { ipAddress: '198.51.100.8' }, { at: AT + 1 }, { signature: picture }];
    expect(new Set(others.map((input) => accepted(someProposal(), input).proposal.EvidenceSha256)).size).toBe(
      others.length,
    );
  });
});

describe('verifying an acceptance', () => {
  const made = accepted();
  const stored = storedEvidence(made);
  const failed = (of: StoredEvidence, known?: string) =>
    verifyEvidence(of, sha256, known).flatMap(({ Check, Passed, Detail }) => (Passed ? [] : [`${Check}: ${Detail}`]));
  const content = (change: (evidence: Record<string, Record<string, Json>>) => void): string => {
    const copy = JSON.parse(stored.Content) as Record<string, Record<string, Json>>;
    change(copy);
    return canonical(copy);
  };
  const renamed = content(({ Acceptance }) => Object.assign(Acceptance ?? {}, { Name: 'Eve' }));
  const cheaper = content(({ Proposal }) => Object.assign(Proposal ?? {}, { Subtotal: 1 }));
  const lines = (price: number) =>
    made.proposal.Lines.map((line) => (line.Id === 2 ? { ...line, UnitPrice: price } : line));

  const costs = (UnitCost: number) => made.proposal.Lines.map((line) => ({ ...line, UnitCost }));
  const otherBook = { ...made.proposal.Book, Service: { BasePrice: 1 } };

  test('passes every check of one that is as it was, however the proposal has gone on', () => {
    expect(
      verifyEvidence(stored, sha256, made.proposal.EvidenceSha256.toUpperCase()).map(({ Check, Passed }) => [
        Check,
        Passed,
      ]),
    ).toEqual([
      ['content', true],
      ['signature', true],
      ['acceptance', true],
      ['proposal', true],
      ['known hash', true],
    ]);
    const later = {
      ...made.proposal,
      Status: 6,
      OwnerUserId: 4,
      ProposalNotes: [{ Id: 1, Note: 'Paid', CreatedAt: AT }],
      Updated: AT + 9,
      V: 9,
    };
    expect(failed(storedEvidence(made, later))).toEqual([]);
  });

  test.each<[string, StoredEvidence, string[]]>([
    ['the content', { ...stored, Content: cheaper }, ['content', 'proposal']],
    ['the name', { ...stored, Content: renamed }, ['content']],
    ['the form of the content alone', { ...stored, Content: ` ${stored.Content}` }, ['content', 'acceptance']],
    ['all of the content', { ...stored, Content: '[]' }, ['content', 'acceptance']],
    ['the signature', { ...stored, Signature: Buffer.from('another').toString('base64') }, ['signature']],
    ['the type of the signature', { ...stored, SignatureType: 'image/svg+xml' }, ['signature']],
    ['a cost', storedEvidence(made, { ...made.proposal, Lines: costs(1) }), ['proposal']],
    ['the price book', storedEvidence(made, { ...made.proposal, Book: otherBook }), ['proposal']],
    ['the signature beyond reading', { ...stored, Signature: '%' }, ['signature']],
    ['the hash', { ...stored, EvidenceSha256: sha256('another') }, ['content']],
    ['the hash, taken away', { ...stored, EvidenceSha256: '' }, ['content']],
    ['the price of a line', storedEvidence(made, { ...made.proposal, Lines: lines(90) }), ['proposal']],
    ['the selected option', storedEvidence(made, { ...made.proposal, Options: [] }), ['proposal']],
    ['the tax rate', storedEvidence(made, { ...made.proposal, NamedTaxRate: null }), ['proposal']],
    [
      'a line, taken away',
      storedEvidence(made, { ...made.proposal, Lines: made.proposal.Lines.slice(1) }),
      ['proposal'],
    ],
    ['a line more', storedEvidence(made, { ...made.proposal, Lines: [...lines(100), ...lines(100)] }), ['proposal']],
    ['another proposal', storedEvidence(made, { ...made.proposal, Id: 13 }), ['acceptance', 'proposal']],
    ['whose proposal it is', { ...stored, AccountId: 'red' }, ['acceptance']],
    ['the status', storedEvidence(made, { ...made.proposal, Status: 1 }), ['acceptance']],
    ['the moment', storedEvidence(made, { ...made.proposal, AcceptedAt: AT + 1 }), ['acceptance']],
  ])('finds a change of %s', (_, tampered, checks) => {
    expect(failed(tampered).map((text) => text.split(':')[0])).toEqual(checks);
  });

  test('finds a consistent change of everything by the hash from another source', () => {
    const everywhere = { ...stored, Content: renamed, EvidenceSha256: sha256(renamed) };
    expect(failed(everywhere)).toEqual([]);
    expect(failed(everywhere, made.proposal.EvidenceSha256)).toEqual([
      expect.stringMatching(/^known hash: The known hash is /),
    ]);
  });

  test('lists each changed field with both values', () => {
    expect(failed(storedEvidence(made, { ...made.proposal, Lines: lines(90), NamedTaxRate: null }))).toEqual([
      'proposal: The proposal differs from what was accepted: Lines[1].UnitPrice was 100 when accepted and is 90; ' +
        'TaxRate was {"Name":"County","Percent":8} when accepted and is null.',
    ]);
  });
});
