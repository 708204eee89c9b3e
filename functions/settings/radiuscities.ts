import { operation } from '../../lib/api/operation.ts';
import { noSettings, settingsFields } from '../../lib/resources/settings.ts';
import { surroundings } from './surroundings.ts';

export const radiuscities = operation({
  name: 'settings/radiuscities',
  summary: "The cities within Radius miles of the organization's StartAddress, nearest first, in Cities.",
  description:
    'Great-circle miles from the centre of the postal code of StartAddress. A city is as near as the nearest of its postal codes, which stands beside its ' +
    'name. Of the organization of the key, else of the default organization.',
  access: 'read',
  needs: ['table:read'],
  request: () => ({}),
  response: settingsFields,
  failures: ['conflict'],
  example: {},
  async run(_, { caller, table, now }) {
    const { codes, center, radius } = await surroundings(table, caller, now);
    return { ...noSettings, Cities: codes.citiesWithin(center, radius).map(({ city, code }) => ({ Name: city, PostalCode: code })) };
  },
});
