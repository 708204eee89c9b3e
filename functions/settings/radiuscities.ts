import { findNearbyPlaces } from '../../lib/workflows/settings/find-nearby.ts';
import { settingsAnswer } from '../../lib/workflows/settings/list-settings.ts';

export const radiuscities = settingsAnswer({
  name: 'settings/radiuscities',
  summary: "The cities within Radius miles of the organization's StartAddress, nearest first, in Cities.",
  description:
    'Great-circle miles from the centre of the postal code of StartAddress. A city is as near as the nearest of its postal codes, which stands beside its ' +
    'name. Of the organization of the key, else of the default organization.',
  failures: ['conflict'],
  async fill({ caller, table, now }) {
    const { codes, center, radius } = await findNearbyPlaces(table, caller, now);
    return { Cities: codes.citiesWithin(center, radius).map(({ city, code }) => ({ Name: city, PostalCode: code })) };
  },
});
