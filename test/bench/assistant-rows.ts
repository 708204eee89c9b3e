import { invokeTool } from '../support/stack/invoke.ts';
import { freeSlot } from './appointment-rows.ts';
import { OFFERED_ID } from './book-rows.ts';
import type { CostRow } from './cost-rows.ts';

type Answer = Record<string, unknown>;
type Send = NonNullable<CostRow['send']>;

const textOf = ({ result }: Answer): string => {
  const { content = [], isError } = (result ?? {}) as { content?: { text: string }[]; isError?: boolean };
  if (isError) throw new Error(`the tool failed: ${content[0]?.text}`);
  return content[0]?.text ?? '';
};
const says = (expected: RegExp) => (answer: Answer) => {
  if (!expected.test(textOf(answer))) throw new Error(`expected ${expected} in: ${textOf(answer)}`);
};

const CONFIRM = /confirm (c-[\w-]+)\./;
const visit = () => {
  const { DateTime, ServiceAgentId } = freeSlot();
  return { contact_id: 11, service: String(OFFERED_ID), start: DateTime, agent_id: ServiceAgentId };
};

const booksVisit: Send = (args, options) => invokeTool('book_visit', args, options);

export const assistantRows: readonly CostRow[] = [
  {
    name: 'POST /mcp, find_contact by id',
    operation: 'mcp/call',
    body: () => ({ contact_id: 500 }),
    send: (args, options) => invokeTool('find_contact', args, options),
    budget: { rounds: 1, readUnits: 1, writeUnits: 0 },
    check: says(/^1 client found/),
  },
  {
    name: 'POST /mcp, book_visit, its preview',
    operation: 'mcp/call',
    body: visit,
    send: booksVisit,
    budget: { rounds: 2, readUnits: 14, writeUnits: 0 },
    check: says(CONFIRM),
  },
  {
    name: 'POST /mcp, book_visit, confirmed',
    operation: 'mcp/call',
    // The preview is a part: its token is valid for this key and these arguments only.
    body: visit,
    send: async (args, options) => {
      const { body } = await booksVisit(args, options);
      const [, confirm] = CONFIRM.exec(textOf(body)) ?? [];
      return booksVisit({ ...args, confirm }, options);
    },
    budget: { rounds: 6, readUnits: 32, writeUnits: 16 },
    check: says(/^Booked/),
  },
];
