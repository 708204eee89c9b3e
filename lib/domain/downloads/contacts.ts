import { type ContactRecord, contactEntity } from '../../entities/contacts.ts';
import { joinList } from '../../shared/text/lists.ts';
import { tagNameKey } from '../contacts/record.ts';
import { column, customValue, geoShapeColumns, geoZoneColumns, organizationColumns, recordColumns } from './columns.ts';
import { type DownloadFilter, defineKind, isOptionOn, itself } from './kind.ts';

type Tagged = Pick<ContactRecord, 'Tags'>;

export const tagText = (tags: readonly { readonly Name: string }[] | undefined): string =>
  joinList((tags ?? []).map(({ Name }) => Name));

/** Whether the contact has all tags of a comma-separated list. */
function hasTags({ Tags }: Tagged, { settings }: DownloadFilter): boolean {
  const text = settings['Tags'];
  if (typeof text !== 'string' || text.trim() === '') return true;
  const own = new Set(Tags.map(({ Name }) => tagNameKey(Name)));
  return text
    .split(',')
    .map(tagNameKey)
    .filter(Boolean)
    .every((name) => own.has(name));
}

/** WithEmails and WithoutEmails: both or neither select everything. */
function hasRequestedEmail({ Email }: Pick<ContactRecord, 'Email'>, filter: DownloadFilter): boolean {
  const [withEmails, withoutEmails] = [isOptionOn(filter, 'WithEmails'), isOptionOn(filter, 'WithoutEmails')];
  return withEmails === withoutEmails || (Email !== '') === withEmails;
}

export const contacts = defineKind<ContactRecord, ContactRecord>({
  kind: 'contacts',
  rows: 'A contact.',
  settings: 'Contacts',
  source: 'Contact',
  entity: contactEntity,
  optionAttributes: { IncludeGeoZones: ['TerritoryID', 'AccountingClass'], IncludeCustomFields: ['CustomFields'] },
  moments: { Created: ({ Created }) => Created, Updated: ({ Updated }) => Updated },
  organizationOf: ({ OrganizationId }) => OrganizationId,
  zipOf: ({ Zip }) => Zip,
  selects: (contact, filter) =>
    hasTags(contact, filter) &&
    hasRequestedEmail(contact, filter) &&
    (!isOptionOn(filter, 'NationalAccountsOnly') || contact.ManagedByContactId !== null),
  items: itself,
  ...recordColumns(
    contactEntity,
    [
      'Id',
      ...organizationColumns<ContactRecord>(),
      'Name',
      'Nickname',
      'Company',
      'Email',
      'Phone',
      'PhoneLabel',
      'AltPhone',
      'AltPhoneLabel',
      'Address1',
      'Address2',
      'City',
      'State',
      'Zip',
      'Country',
      'Category',
      'IsCustomer',
      'CustomerSince',
      'LifetimeValue',
      'LeadSource',
      'ChannelId',
      'Channel',
      'CampaignId',
      'Campaign',
      'UtmMedium',
      'UtmSource',
      'UtmCampaign',
      'DigitalTrackingId',
      column('text')<ContactRecord>('Tags', ({ item }) => tagText(item.Tags), 'names, separated by ; '),
      'Unsubscribed',
      'DoNotText',
      'DoNotEmail',
      'OwnerUserId',
      'ReferredByContactId',
      'ManagedByContactId',
      'NamedTaxRateId',
      'Hash',
      'Created',
      'Updated',
    ],
    {
      reads: ['Tags'],
      options: [
        ...geoZoneColumns<ContactRecord>(
          ({ item }) => item.TerritoryID,
          ({ item }) => item.AccountingClass?.AccountingClass,
        ),
        ...geoShapeColumns<ContactRecord>(),
      ],
    },
  ),
  custom: { table: 0, value: customValue },
});
