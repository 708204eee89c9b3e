import type { ContactRecord } from '../../../lib/entities/contacts.ts';
import type { TableReader } from '../../../lib/store/dynamodb/table.ts';
import type { IdKind } from '../../../lib/store/keys.ts';
import { layout } from '../../../lib/store/keys.ts';
import { invoke } from '../stack/invoke.ts';

/** The records of an account, read without the store's own code for contacts. */
export interface Holdings {
  readonly contacts: readonly ContactRecord[];
  readonly calls: readonly { readonly Note: string }[];
  readonly tags: readonly { readonly Id: number; readonly Name: string }[];
}

/** Reads every record of an account: no id is above the last reserved one. */
export async function holdingsOf(table: TableReader, account: string): Promise<Holdings> {
  const upTo = async (kind: IdKind) => {
    const last = ((await table.get(layout.lease.key({ account, kind })))?.['Last'] ?? 0) as number;
    return Array.from({ length: last }, (_, index) => index + 1);
  };
  const [contactIds, callIds] = await Promise.all([upTo('Contact'), upTo('Call')]);
  const [contacts, calls, tags] = await Promise.all([
    table.getMany(contactIds.map((id) => layout.contact.key({ account, id }))),
    table.getMany(callIds.map((id) => layout.call.key({ account, id }))),
    table.query({ partition: layout.tagName.of({ account }), consistent: true }),
  ]);
  return { contacts, calls, tags: tags.items } as unknown as Holdings;
}

/** A call that changes something, and how to see in the table how often it was done. */
export interface Mutation {
  readonly operation: string;
  readonly body: object;
  readonly idempotencyKey?: string;
  /** How often each part of the effect exists: all parts alike, 0 or 1. */
  readonly made: (holdings: Holdings) => number[];
}

/** Contacts that many calls change at the same time, and contacts that each call changes once. */
export interface Prepared {
  readonly busy: readonly number[];
  readonly moving: readonly number[];
}

const BUSY = 4;
/** Calls of each kind; each changes its own records, by its number. `npm run prove -- random` makes twice as many. */
const OF_A_KIND = Number(process.env['MUTATIONS_OF_A_KIND'] ?? 4);

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const person = (number: number, tags: readonly string[] = []) => ({
  Name: `Anna Person${number}`,
  Email: `person${number}@example.com`,
  Phone: `(217) 555-${1000 + number}`,
  Address1: `${number} Oak Street`,
  Zip: String(61_000 + number),
  Tags: tags,
});

/** Creates the contacts, without errors. */
export async function prepare(key: string): Promise<Prepared> {
  const add = async (Matches: object[]) => {
    const { status, body } = await invoke('contacts/addupdate', { Matches }, { key });
    if (status !== 200) throw new Error(`contacts/addupdate: ${JSON.stringify(body)}`);
    return (body['Matches'] as { Id: number }[]).map(({ Id }) => Id);
  };
  const busy = await add(
    range(BUSY).map((index) => ({
      ...person(900 + index),
      Tags: range(OF_A_KIND / BUSY).map((k) => `old ${k * BUSY + index}`),
    })),
  );
  const moving = await add(range(OF_A_KIND).map((index) => ({ ...person(800 + index), Company: `Before${index}` })));
  return { busy, moving };
}

const notes = ({ contacts }: Holdings, text: string) =>
  contacts.flatMap(({ Notes }) => Notes).filter(({ Body }) => Body === text).length;

/** One mutation of every kind that contacts have, with its own number. */
function mutationsOf({ busy, moving }: Prepared, index: number): Mutation[] {
  const ContactId = busy[index % BUSY] as number;
  const movingId = moving[index] as number;
  // Single puts are harder to repeat safely than transactions, and occur more often.
  const copies = range(4).map((copy) => `text ${index}.${copy}`);
  const crowd = range(25).map((place) => person(1_000 + index * 25 + place, [`crowd ${index}`]));
  return [
    {
      operation: 'contacts/addupdate',
      body: person(index, [`shared ${index % 3}`]),
      made: ({ contacts }) => [contacts.filter(({ Email }) => Email === person(index).Email).length],
    },
    {
      operation: 'contacts/addupdate',
      body: { Id: ContactId, Notes: [{ Body: `update ${index}` }], Company: `Company${index}` },
      made: (holdings) => [notes(holdings, `update ${index}`)],
    },
    {
      operation: 'contacts/addupdate',
      body: { ...person(400 + index), Id: movingId, Company: `After${index}` },
      made: ({ contacts }) =>
        contacts
          .filter(({ Id }) => Id === movingId)
          .map(({ Company, Email, V }) =>
            Company === `After${index}` && Email === person(400 + index).Email ? V - 1 : 0,
          ),
    },
    ...copies.map((text) => ({
      operation: 'contacts/addnote',
      body: { ContactId, Note: { Body: text } },
      made: (holdings: Holdings) => [notes(holdings, text)],
    })),
    {
      operation: 'contacts/addtags',
      body: { ContactId, TagList: [{ Name: `tag ${index}` }, { Name: `shared ${index % 3}` }] },
      made: ({ contacts }) => [
        contacts.flatMap(({ Tags }) => Tags).filter(({ Name }) => Name === `tag ${index}`).length,
      ],
    },
    {
      operation: 'contacts/removetags',
      body: { ContactId, TagList: [{ Name: `old ${index}` }] },
      made: ({ contacts }) => [contacts.some(({ Tags }) => Tags.some(({ Name }) => Name === `old ${index}`)) ? 0 : 1],
    },
    ...copies
      .map((copy) => `call of ${copy}`)
      .map((Note) => ({
        operation: 'contacts/logcall',
        body: { Chars: JSON.stringify({ ContactId, Note }) },
        made: (holdings: Holdings) => [
          holdings.calls.filter((call) => call.Note === Note).length,
          notes(holdings, Note),
        ],
      })),
    ...(index > 0 && index <= OF_A_KIND / 4
      ? [
          {
            operation: 'contacts/addupdate',
            body: { Matches: crowd },
            made: ({ contacts }: Holdings) =>
              crowd.map((one) => contacts.filter(({ Email }) => Email === one.Email).length),
          },
        ]
      : []),
  ];
}

/** Mutations of every kind, mixed over the same contacts; every second one of a kind has an Idempotency-Key. */
export const someMutations = (prepared: Prepared): Mutation[] =>
  range(OF_A_KIND).flatMap((index) =>
    mutationsOf(prepared, index).map((mutation, kind) =>
      index % 2 ? { ...mutation, idempotencyKey: `${index}.${kind}` } : mutation,
    ),
  );
