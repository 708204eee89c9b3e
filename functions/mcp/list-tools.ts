import type { KeyCall } from '../../lib/api/http/key-routes.ts';
import { DAY, toLocalDate, toUtc } from '../../lib/shared/time/time.ts';
import { callerOrganization } from '../../lib/store/accounts/accounts.ts';
import { SKIP, id, text } from './arguments.ts';
import { clientRow } from './client-tools.ts';
import { goOn, toPage } from './lists.ts';
import { callOperation } from '../call-operation.ts';
import { refusal, toResult } from './results.ts';
import { count, made, money, say } from './sentence.ts';
import { type Row, type Tool, given, pickRow, rowsOf } from './tool.ts';
import { toVisit } from './visit-tools.ts';
import { storeOf } from '../../lib/store/store.ts';

/* Lists that an office needs every day: today's visits, debtors, new clients, duplicates. */

/** The most that an operation lists at once. */
const PAGE = 500;
const CONTACTS_PAGE = 100;

const placeOf = (contact: Row): string =>
  ['Address1', 'Address2', 'City', 'Zip'].flatMap((name) => contact[name] || []).join(', ');

/** A visit as the driving agent needs it; `undefined` for a canceled visit and a shadow. */
function toStop(slot: Row): Row | undefined {
  const visit = toVisit(slot);
  if (visit['status'] === 'canceled' || slot['Shadow'] === true) return undefined;
  const contact = (slot['Contact'] ?? {}) as Row;
  const client = pickRow(contact, { client: 'Name', company: 'Company', phone: 'Phone' });
  const notes = pickRow(slot, { note: 'Notes', internal_note: 'InternalNotes' });
  return { ...visit, contact_id: slot['ContactId'], ...client, ...given({ address: placeOf(contact) }), ...notes };
}

const agentsOf = (slot: Row): readonly Row[] =>
  rowsOf(slot['AdditionalServiceAgents']).map(({ ServiceAgent }) => ServiceAgent as Row);

/** The stops of each agent in the order of the day; a stop of several agents is listed with each. */
function byAgent(slots: readonly Row[], stops: readonly Row[]): readonly Row[] {
  const days = new Map<unknown, { agent: unknown; visits: Row[] }>();
  for (const { agent_id, agent, ...visit } of stops) {
    const slot = slots.find(({ AppointmentId }) => AppointmentId === visit['visit_id']) ?? {};
    const others = agentsOf(slot).map(({ Id, Name }) => [Id, Name] as const);
    for (const [key, name] of [[agent_id, agent ?? 'not planned'] as const, ...others]) {
      const day = days.get(key) ?? { agent: name, visits: [] };
      day.visits.push(visit);
      days.set(key, day);
    }
  }
  return [...days].map(([agent_id, day]) => ({ ...given({ agent_id }), ...day }));
}

async function today({ table, caller, now }: KeyCall): Promise<string> {
  const { Timezone } = await callerOrganization(storeOf(table, caller));
  return toLocalDate(now.getTime(), Timezone);
}

export const listDay: Tool = {
  name: 'list_day',
  description: 'Visits of a day by agent, in order, with address and phone. Today by default.',
  input: { date: text('2026-03-09'), agent_id: id(), skip: SKIP },
  job: {
    async run(call, { date, agent_id, skip }) {
      const day = date ?? (await today(call));
      const request = given({ FromDate: day, ThroughDate: day, ServiceAgentId: agent_id, Skip: skip });
      const answer = await callOperation(call, {
        operation: 'appointments/query',
        request: { ...request, Take: PAGE, IncludeContact: true },
      });
      if (answer.status !== 200) return refusal(answer);
      const { Appointments: list, NextSkip: nextSkip } = answer.body;
      const { rows, next } = toPage({ list, nextSkip, skip }, toStop);
      const agents = byAgent(rowsOf(list), rows);
      return rows.length
        ? toResult({ say: say`${count(rows.length, 'visit')} on ${made(day)}.${goOn(next)}`, data: { agents } })
        : toResult({ say: say`No visit on ${made(day)}.${goOn(next)}` });
    },
  },
};

const owedFields = {
  invoice_id: 'Id',
  number: 'Number',
  date: 'Date',
  due_date: 'DueDate',
  total: 'Total',
  owes: 'BalanceDue',
} as const;

const isOwed = ({ BalanceDue }: Row): boolean => Number(BalanceDue) !== 0;

export const whoOwes: Tool = {
  name: 'who_owes',
  description: 'Clients with open invoices, the oldest first, with phone and what each invoice lacks.',
  input: { skip: SKIP },
  job: {
    call: ({ skip }) => ({
      operation: 'invoice/query',
      request: { ...given({ Skip: skip }), Status: 'Open', Take: PAGE, IncludeContact: true },
    }),
    answer({ Invoices: list, NextSkip: nextSkip }, { skip }) {
      const open = rowsOf(list).filter(isOwed);
      const { rows, next } = toPage({ list, nextSkip, skip }, (invoice) =>
        isOwed(invoice)
          ? {
              contact_id: invoice['ContactId'],
              ...pickRow((invoice['Contact'] ?? {}) as Row, { client: 'Name', phone: 'Phone', email: 'Email' }),
              ...pickRow(invoice, owedFields),
            }
          : undefined,
      );
      if (!rows.length) return { say: say`Nobody owes anything.${goOn(next)}` };
      const cents = open.reduce((sum, { BalanceDue }) => sum + Math.round(Number(BalanceDue) * 100), 0);
      const clients = count(new Set(open.map(({ ContactId }) => ContactId)).size, 'client');
      const part = nextSkip === undefined && !skip ? say`` : say` These are a part of all.`;
      return {
        say: say`${clients}: ${money(cents / 100)} on ${count(open.length, 'invoice')}.${part}${goOn(next)}`,
        data: { invoices: rows },
      };
    },
  },
};

const toLead = (contact: Row): Row | undefined =>
  contact['IsCustomer'] === true
    ? undefined
    : {
        ...clientRow(contact),
        ...pickRow(contact, { source: 'LeadSource', campaign: 'Campaign' }),
        ...pickRow(rowsOf(contact['Notes'])[0] ?? {}, { note: 'Body' }),
      };

export const listLeads: Tool = {
  name: 'list_leads',
  description: 'New leads: clients added since a day who bought nothing yet, newest first.',
  input: { since: text('First day; a week ago by default.'), skip: SKIP },
  job: {
    call: ({ since, skip }, now) => ({
      operation: 'contacts/locate',
      request: given({ CreatedFrom: since ?? toUtc(now.getTime() - 7 * DAY), Skip: skip, Limit: CONTACTS_PAGE }),
    }),
    answer({ Matches: list, NextSkip: nextSkip }, { skip }) {
      const { rows, next } = toPage({ list, nextSkip, skip }, toLead);
      return rows.length
        ? { say: say`${count(rows.length, 'lead')}.${goOn(next)}`, data: { leads: rows } }
        : { say: say`No new lead.${goOn(next)}` };
    },
  },
};

export const listDuplicates: Tool = {
  name: 'list_duplicates',
  description:
    'Clients that are probably stored twice: newest first, or those of contact_id. contacts/merge merges two.',
  input: { contact_id: id(), skip: SKIP },
  job: {
    call: ({ contact_id, skip }) => ({
      operation: 'contacts/duplicates',
      request: given({ ContactId: contact_id, Skip: skip, Take: CONTACTS_PAGE }),
    }),
    answer({ Pairs: list, NextSkip: nextSkip }) {
      const { rows } = toPage({ list, nextSkip }, ({ Contact, Duplicate, Why }) => ({
        contact: clientRow(Contact as Row),
        duplicate: clientRow(Duplicate as Row),
        why: Why,
      }));
      const total = rowsOf(list).length;
      const cut = rows.length < total ? say` of ${total}; contact_id shows all of one client` : say``;
      const more = goOn(nextSkip === undefined ? undefined : Number(nextSkip));
      return rows.length
        ? { say: say`${count(rows.length, 'pair')}${cut}.${more}`, data: { pairs: rows } }
        : { say: say`No likely duplicate.${more}` };
    },
  },
};
