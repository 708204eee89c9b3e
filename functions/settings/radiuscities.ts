import { operation } from '../../lib/api/operation.ts';
import { noSettings, settingsFields } from '../../lib/resources/settings.ts';
import { loadRadius } from '../../lib/workflows/settings/load-radius.ts';

export const radiuscities = operation({
  title: 'List cities nearby',
  summary: "Lists the cities within Radius miles of the organization's StartAddress, nearest first, in Cities.",
  rules: [
    'Distances are great-circle miles from the centre of the postal code of StartAddress.',
    'A city is as near as the nearest of its postal codes, which is its PostalCode.',
    'The organization is that of the key, else the default organization.',
  ],
  access: 'read',
  response: settingsFields,
  failures: ['conflict'],
  async run(_, context) {
    const { codes, center, radius } = await loadRadius(context);
    const cities = codes.citiesWithin(center, radius);
    return { ...noSettings, Cities: cities.map(({ city, code }) => ({ Name: city, PostalCode: code })) };
  },
});
