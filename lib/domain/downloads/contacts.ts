import { type ContactRecord, contactEntity } from '../../entities/contacts.ts';
import { joinList } from '../../shared/text/lists.ts';
import { tagNameKey } from '../contacts/record.ts';
import {
  column,
  customValue,
  decimals,
  flags,
  geoShapeColumns,
  geoZoneColumns,
  integers,
  moments,
  organizationColumns,
  recordMoments,
  texts,
} from './columns.ts';
import { type DownloadFilter, defineKind, isOptionOn, itself } from './kind.ts';

type Tagged = Pick<ContactRecord, 'Tags'>;

export const tagText = (tags: readonly { readonly Name: string }[] | undefined): string =>
  joinList((tags ?? []).map(({ Name }) => Name));

/** The contact must have all tags of a comma-separated list. */
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

/** WithEmails and WithoutEmails: both or neither select all. */
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
  rowId: 'Id',
  attributes: [
    'Id',
    'OrganizationId',
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
    'Tags',
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
  optionAttributes: { IncludeGeoZones: ['TerritoryID', 'AccountingClass'], IncludeCustomFields: ['CustomFields'] },
  moments: { Created: ({ Created }) => Created, Updated: ({ Updated }) => Updated },
  organizationOf: ({ OrganizationId }) => OrganizationId,
  zipOf: ({ Zip }) => Zip,
  selects: (contact, filter) =>
    hasTags(contact, filter) &&
    hasRequestedEmail(contact, filter) &&
    (!isOptionOn(filter, 'NationalAccountsOnly') || contact.ManagedByContactId !== null),
  items: itself,
  columns: [
    ...integers<ContactRecord>('Id'),
    ...organizationColumns<ContactRecord>(),
    ...texts<ContactRecord>('Name', 'Nickname', 'Company', 'Email', 'Phone', 'PhoneLabel', 'AltPhone', 'AltPhoneLabel'),
    ...texts<ContactRecord>('Address1', 'Address2', 'City', 'State', 'Zip', 'Country', 'Category'),
    ...flags<ContactRecord>('IsCustomer'),
    ...moments<ContactRecord>('CustomerSince'),
    ...decimals<ContactRecord>('LifetimeValue'),
    ...texts<ContactRecord>('LeadSource'),
    ...integers<ContactRecord>('ChannelId'),
    ...texts<ContactRecord>('Channel'),
    ...integers<ContactRecord>('CampaignId'),
    ...texts<ContactRecord>('Campaign', 'UtmMedium', 'UtmSource', 'UtmCampaign', 'DigitalTrackingId'),
    column('text')<ContactRecord>('Tags', ({ item }) => tagText(item.Tags), 'names, separated by ; '),
    ...flags<ContactRecord>('Unsubscribed', 'DoNotText', 'DoNotEmail'),
    ...integers<ContactRecord>('OwnerUserId', 'ReferredByContactId', 'ManagedByContactId', 'NamedTaxRateId'),
    ...texts<ContactRecord>('Hash'),
    ...recordMoments<ContactRecord>(),
    ...geoZoneColumns<ContactRecord>(
      ({ item }) => item.TerritoryID,
      ({ item }) => item.AccountingClass?.AccountingClass,
    ),
    ...geoShapeColumns<ContactRecord>(),
  ],
  custom: { table: 0, value: customValue },
});
