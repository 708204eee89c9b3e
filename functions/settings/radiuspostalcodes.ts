import { findNearbyPlaces } from '../../lib/workflows/settings/find-nearby.ts';
import { settingsAnswer } from '../../lib/workflows/settings/list-settings.ts';

export const radiuspostalcodes = settingsAnswer({
  name: 'settings/radiuspostalcodes',
  summary: "The postal codes within Radius miles of the organization's StartAddress, nearest first, in PostalCodes.",
  description:
    'Great-circle miles from the centre of the postal code of StartAddress to that of each other one. Of the organization of the key, else of the default ' +
    'organization.',
  failures: ['conflict'],
  async fill({ caller, table, now }) {
    const { codes, center, radius } = await findNearbyPlaces(table, caller, now);
    return { PostalCodes: codes.codesWithin(center, radius).map(({ code }) => code) };
  },
});
