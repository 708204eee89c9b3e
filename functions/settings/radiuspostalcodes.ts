import { operation } from '../../lib/api/operation.ts';
import { noSettings, settingsFields } from '../../lib/resources/settings.ts';
import { loadRadius } from '../../lib/workflows/settings/load-radius.ts';

export const radiuspostalcodes = operation({
  title: 'List postal codes nearby',
  summary:
    "Lists the postal codes within Radius miles of the organization's StartAddress, nearest first, in PostalCodes.",
  rules: [
    'Distances are great-circle miles between the centres of postal codes, from that of StartAddress.',
    'The organization is that of the key, else the default organization.',
  ],
  access: 'read',
  response: settingsFields,
  failures: ['conflict'],
  async run(_, context) {
    const { codes, center, radius } = await loadRadius(context);
    return { ...noSettings, PostalCodes: codes.codesWithin(center, radius).map(({ code }) => code) };
  },
});
