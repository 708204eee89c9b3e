import type { ContactRecord } from '../../../lib/entities/contacts.ts';
import { expect } from 'vitest';
import { invoke } from '../stack/invoke.ts';

const simple = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

/** By what each contact of plain ASCII must be found: the criterion as a request writes it. */
const criteriaOf = ({ Name, Company, Email, Phone, Address1, Zip, Tags }: ContactRecord): Record<string, unknown>[] => [
  ...simple(`${Name} ${Company}`).map((NameSearch) => ({ NameSearch })),
  ...simple(`${Address1.replace(/^\d+/, '')} ${Zip}`).map((AddressSearch) => ({ AddressSearch })),
  ...Tags.map(({ Name: tag }) => ({ TagSearch: [tag] })),
  { EmailSearch: Email },
  { PhoneSearch: Phone },
];

/** Whether a contact meets a criterion, worked out apart from the product's code. */
function meets(
  { Name, Company, Email, Phone, Address1, Zip, Tags }: ContactRecord,
  [[name, value] = ['', '']]: [string, unknown][],
): boolean {
  const begins = (text: string) => simple(text).some((word) => word.startsWith(String(value)));
  if (name === 'NameSearch') return begins(`${Name} ${Company}`);
  if (name === 'AddressSearch') return begins(`${Address1} ${Zip}`);
  if (name === 'TagSearch') return Tags.some((tag) => tag.Name === (value as string[])[0]);
  return value === (name === 'EmailSearch' ? Email : Phone);
}

/**
 * Every contact is found by each of its words, its e-mail, phone and tags, and nothing is found by them that has them
 * no longer, nor by `former` ones. Of these criteria, every one is tried, or every nth, beginning with the `offset`.
 */
export async function expectFindable(
  key: string,
  contacts: readonly ContactRecord[],
  former: readonly Record<string, unknown>[] = [],
  { every = 1, offset = 0 } = {},
): Promise<void> {
  const all = new Set([...contacts.flatMap(criteriaOf), ...former].map((criterion) => JSON.stringify(criterion)));
  const criteria = [...all].filter((_, index) => index % every === offset % every);
  const wrong: string[] = [];
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let text = criteria.pop(); text; text = criteria.pop()) {
        const criterion = JSON.parse(text) as Record<string, unknown>;
        const { body } = await invoke('contacts/locate', { ...criterion, Limit: 500 }, { key });
        const found = ((body['Matches'] ?? []) as { Id: number }[]).map(({ Id }) => Id).sort((a, b) => a - b);
        const right = contacts
          .filter((contact) => meets(contact, Object.entries(criterion)))
          .map(({ Id }) => Id)
          .sort((a, b) => a - b);
        if (JSON.stringify(found) !== JSON.stringify(right))
          wrong.push(`${text}: ${JSON.stringify(found)} instead of ${JSON.stringify(right)}`);
      }
    }),
  );
  expect(wrong).toEqual([]);
}
