import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layout, padded } from '../../lib/store/keys.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/data-model.md'), 'utf8').replaceAll(/ +/g, ' ');
const places = Object.values(layout);

describe('the keys of the table', () => {
  it.each(places)('$entity stands in docs/data-model.md with its keys', ({ entity, partition, sort }) => {
    expect(page.includes(`| ${entity} | \`${partition}\` | \`${sort}\` |`)).toBe(true);
  });

  it('all begin with the account, but API keys, looked up before it is known, and lists of all accounts', () => {
    const others = places.filter(({ partition }) => !partition.startsWith('A#{account}'));
    expect(others.map(({ entity }) => entity)).toEqual([
      'ApiKey',
      'Rate',
      'AuditCounts',
      'ProposalExpiry',
      'ExpiryProgress',
      'VisitRelease',
      'CalendarEntry',
      'FiguresProgress',
      'KeyNotice',
      'Retention',
      'RetentionProgress',
      'BacklogAccount',
      'DelayedMessage',
    ]);
  });

  it('do not let a value reach into another partition, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (account, email) => {
        const { PK } = layout.contactEmail.key({ account, email, organization: 1, ordinal: 1 });
        expect(PK.split('#')).toHaveLength(4);
      }),
    );
  });

  it('differ where the values differ', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (one, other) => {
        const key = (name: string) => layout.tagName.key({ account: 'a', name }).SK;
        expect(key(one) === key(other)).toBe(one === other);
      }),
    );
  });

  it('order ids as numbers', () => {
    fc.assert(fc.property(fc.nat(2 ** 31 - 1), fc.nat(2 ** 31 - 1), (a, b) => padded(a) < padded(b) === a < b));
  });

  it('refuse a key with a part missing', () => {
    expect(() => layout.contact.key({ account: '', id: 1 })).toThrow('needs account');
  });
});
