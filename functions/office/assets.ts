import type { OfficeAnswer } from '../../lib/api/http/office-route.ts';
import type { Event } from '../../lib/api/respond.ts';
import { OFFICE_STYLE } from '../../lib/pages/office/style-sheet.ts';

/** The style sheet at the address that has the hash of its content; `undefined` for any other. */
export const officeAsset = ({ rawPath }: Event): OfficeAnswer | undefined =>
  rawPath === OFFICE_STYLE.path
    ? {
        status: 200,
        body: OFFICE_STYLE.content,
        type: 'text/css; charset=utf-8',
        headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
      }
    : undefined;
