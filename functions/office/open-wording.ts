import type { Event } from '../../lib/api/respond.ts';
import { chooseLanguage } from '../../lib/pages/language.ts';
import { type OfficeWording, officeWording } from '../../lib/pages/office/wording.ts';
import { readLanguage } from './cookies.ts';

/** The wording in the language that the reader chose here or before, else that of the browser. */
export const openWording = (event: Event, country = 'US'): OfficeWording =>
  officeWording(
    chooseLanguage(event.queryStringParameters?.['lang'] ?? readLanguage(event), event.headers['accept-language']),
    country,
  );
