import { type ContactCriteria, type SearchFields, parseCriteria } from '../../domain/contacts/search.ts';
import type { OrganizationRecord } from '../../domain/organizations.ts';
import { datetime, described, flag, id, int32, list, text } from '../../resources/fields.ts';
import { through } from '../../resources/queries.ts';
import { invalid } from '../../shared/failure.ts';

/** The search fields that contacts/locate and contacts/addupdate share. */
export const searchFields = () => ({
  NameSearch: described(
    text(200),
    'Words; each must begin a word of Name, Nickname or Company. Case and accents do not count.',
  ),
  PhoneSearch: described(text(50), 'Either phone, however written.'),
  EmailSearch: described(text(254), 'The whole address; case does not count.'),
  AddressSearch: described(text(200), 'Words; each must begin a word of the street or city, or the zip.'),
  IdSearch: id(),
  DigitalTrackingIdSearch: text(500),
  CreatedFrom: datetime(),
  CreatedThrough: through(),
  CategorySearch: text(100),
  TagSearch: described(list(text(100), 20), 'All of them must be there.'),
  ReturnPmtOnFile: described(flag(), 'Without it the PmtOnFile fields are empty.'),
  DistributeLead: flag(),
  Skip: int32(0),
  Limit: int32(1, 500),
});

/** The criteria of a request, or 400 with every search field that cannot be read. */
export function requestedCriteria(request: SearchFields, home: OrganizationRecord): ContactCriteria {
  const reading = parseCriteria(request, home);
  if ('errors' in reading) throw invalid(...reading.errors);
  return reading.criteria;
}
