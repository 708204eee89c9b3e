import type { Contact } from '../../../lib/entities/contacts.ts';
import { type SettingKind, completeEntry } from '../../../lib/domain/settings.ts';
import type { DataSubscriberEvent } from '../../../lib/resources/events.ts';
import { organizationCountChange } from '../../../lib/store/accounts/accounts.ts';
import { newOrganizationChanges } from '../../../lib/store/organizations/organizations.ts';
import {
  type PostalChanges,
  postalClassChanges,
  postalOwnershipChanges,
} from '../../../lib/store/organizations/postal-ownership.ts';
import { settingChanges } from '../../../lib/store/settings.ts';
import { type TestAccount, type TestAnswer, drainEvents, testAccount, testTable } from './stack.ts';
import { accountStore } from '../../../lib/store/store.ts';

const changesIn = (result: PostalChanges) => (result.kind === 'ready' ? result.changes : []);

const entry = (Kind: SettingKind, Id: number, Value: object) => ({
  change: 'created' as const,
  before: undefined,
  after: { Kind, Id, V: 1, Value: completeEntry(Kind, { Id, ...Value }) },
});

const options = [
  { Id: 1, Label: 'Small', Value: 'S' },
  { Id: 2, Label: 'Large', Value: 'L' },
];

/**
 * An account of several organizations: 1 the default one, 2 (Location `L2`) owner of 62701 and 62702 and booking 62701
 * under a class, 3 a British one. It has two channels with campaigns, a tax rate, and custom fields of contacts (Gate
 * code, Square feet, Size) and of appointments (Crew).
 */
export async function branches(): Promise<TestAccount> {
  const account = await testAccount();
  const { accountId } = account;
  const table = testTable();
  await table.commit([
    ...newOrganizationChanges({ account: accountId }, { Id: 2, PublicName: 'Shelbyville', LocationID: 'L2' }),
    ...newOrganizationChanges({ account: accountId }, { Id: 3, PublicName: 'London', Country: 'GB' }),
    organizationCountChange({ account: accountId }),
  ]);
  await table.commit(
    changesIn(
      await postalOwnershipChanges(accountStore(table, accountId), 2, { before: [], after: ['62701', '62702'] }),
    ),
  );
  const north = { Id: 1, OrganizationId: 2, AccountingClass: 'North', TerritoryID: 'N1' };
  await table.commit(
    changesIn(
      await postalClassChanges(accountStore(table, accountId), north, { before: [], after: ['62701'], renamed: false }),
    ),
  );
  await table.commit(
    settingChanges({ account: accountId }, [
      entry('Channel', 1, {
        Name: 'Google',
        Campaigns: [
          { Id: 11, Name: 'Spring' },
          { Id: 12, Name: 'Fall' },
        ],
      }),
      entry('Channel', 2, { Name: 'Radio', Campaigns: [{ Id: 21, Name: 'Morning' }] }),
      entry('NamedTaxRate', 5, { Name: 'County', TaxRate: 8.875 }),
      entry('CustomField', 1, { Name: 'Gate code', Shortcode: 'gate', Type: 0 }),
      entry('CustomField', 2, { Name: 'Square feet', Shortcode: 'sqft', Type: 1 }),
      entry('CustomField', 3, { Name: 'Size', Shortcode: 'size', Type: 4, Options: options }),
      entry('CustomField', 4, { Name: 'Crew', Shortcode: 'crew', Type: 0, TableType: 1 }),
    ]),
  );
  return account;
}

/** The contacts of an answer. */
export const matchesOf = ({ body }: TestAnswer): Contact[] => (body['Matches'] ?? []) as Contact[];

/** The one contact of an answer that must have gone well. */
export function contactIn(answer: TestAnswer): Contact {
  const [contact, ...others] = matchesOf(answer);
  if (answer.status !== 200 || !contact || others.length) throw new Error(answer.text);
  return contact;
}

/** The fields at fault of an answer. */
export const fieldsOf = ({ body }: TestAnswer): string[] =>
  ((body['Errors'] ?? []) as { Field: string }[]).map(({ Field }) => Field);

/** Every event of the account there is, when all changes so far have become theirs: what happened to what, in order. */
export async function eventsOf(account: TestAccount): Promise<NonNullable<DataSubscriberEvent['Payload']>[]> {
  await drainEvents();
  const { body } = await account.call('datasubscriber/fetch', { EventCount: 1000 });
  return (body['Events'] as DataSubscriberEvent[]).flatMap(({ Payload }) => Payload ?? []);
}
