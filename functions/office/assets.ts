import type { OfficeAnswer } from '../../lib/api/http/office-route.ts';
import type { Event } from '../../lib/api/respond.ts';
import { OFFICE_SCRIPT } from '../../lib/pages/office/script.ts';
import { OFFICE_STYLE } from '../../lib/pages/office/style-sheet.ts';

const assets = [
  { ...OFFICE_STYLE, type: 'text/css; charset=utf-8' },
  { ...OFFICE_SCRIPT, type: 'text/javascript; charset=utf-8' },
];

/** The style sheet or the script at the address that has the hash of its content; `undefined` for any other. */
export function officeAsset({ rawPath }: Event): OfficeAnswer | undefined {
  const found = assets.find(({ path }) => path === rawPath);
  return (
    found && {
      status: 200,
      body: found.content,
      type: found.type,
      headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
    }
  );
}
