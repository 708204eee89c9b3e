import { createHash } from 'node:crypto';
import type { PageAnswer } from '../../lib/api/http/client-route.ts';
import type { Frame } from '../../lib/pages/frame.ts';
import { script } from '../../lib/pages/script.ts';
import { style } from '../../lib/pages/style.ts';
import { once } from '../../lib/resources/resource.ts';

const nameOf = (content: string, ending: string): string =>
  `${createHash('sha256').update(content).digest('hex').slice(0, 16)}.${ending}`;

/** The style sheet and the script, under names that change with their content. */
const assets = once(() => ({
  style: { name: nameOf(style, 'css'), type: 'text/css; charset=utf-8', content: style },
  script: { name: nameOf(script, 'js'), type: 'text/javascript; charset=utf-8', content: script },
}));

export const assetPaths = (): Frame['assets'] => ({
  style: `/c/assets/${assets().style.name}`,
  script: `/c/assets/${assets().script.name}`,
});

/** A style sheet or script that browsers keep; `undefined` for another name. */
export function assetAnswer(name: string | undefined): PageAnswer | undefined {
  const found = Object.values(assets()).find((asset) => asset.name === name);
  if (!found) return undefined;
  const headers = { 'Cache-Control': 'public, max-age=31536000, immutable' };
  return { status: 200, body: found.content, type: found.type, headers };
}
