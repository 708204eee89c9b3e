import type { CostRow } from './cost-rows.ts';

/** A signature of 6 KB, as a pad exports a name. */
const SignatureData = `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0${' L10.25 20.75'.repeat(460)}"/></svg>`;
const ProposalLines = Array.from({ length: 10 }, (_, index) => ({ Part: { Id: index + 1 }, Quantity: 2 }));

/** Behind the contacts of payments, which must stay small. */
let last = 720;
/** An open proposal of ten lines, of a contact that has no other. */
const open =
  (deposit: object): CostRow['body'] =>
  async (_, call) => {
    const { body } = await call('proposal/create', {
      ContactId: ++last,
      ServiceId: 1,
      Status: 'Open',
      ProposalLines,
      ...deposit,
    });
    return { ProposalId: body['Id'], Name: 'Marta Quinn', SignatureData, IpAddress: '198.51.100.7' };
  };
const signed =
  (expected: string) =>
  ({ Message }: Record<string, unknown>) => {
    if (!String(Message).includes(expected)) throw new Error(`expected ${expected} in: ${String(Message)}`);
  };

/** The key, the organization (decision 15) and a proposal of 11 KB are 5. */
export const acceptanceRows: readonly CostRow[] = [
  {
    name: 'proposal/accept, 10 lines',
    operation: 'proposal/accept',
    body: open({}),
    budget: { rounds: 3, readUnits: 5, writeUnits: 48 },
    check: signed('No deposit invoice'),
  },
  {
    name: 'proposal/accept, with a deposit',
    operation: 'proposal/accept',
    body: open({ DepositRate: 10, DepositRequired: true }),
    budget: { rounds: 3, readUnits: 7, writeUnits: 60 },
    check: signed('Deposit invoice'),
  },
];
