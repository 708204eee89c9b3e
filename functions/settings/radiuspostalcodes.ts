import { operation } from '../../lib/api/operation.ts';
import { noSettings, settingsFields } from '../../lib/resources/settings.ts';
import { surroundings } from './surroundings.ts';

export const radiuspostalcodes = operation({
  name: 'settings/radiuspostalcodes',
  summary: "The postal codes within Radius miles of the organization's StartAddress, nearest first, in PostalCodes.",
  description:
    'Great-circle miles from the centre of the postal code of StartAddress to that of each other one. Of the organization of the key, else of the default ' +
    'organization.',
  access: 'read',
  needs: ['table:read'],
  request: () => ({}),
  response: settingsFields,
  failures: ['conflict'],
  example: {},
  async run(_, { caller, table, now }) {
    const { codes, center, radius } = await surroundings(table, caller, now);
    return { ...noSettings, PostalCodes: codes.codesWithin(center, radius).map(({ code }) => code) };
  },
});
