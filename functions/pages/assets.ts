import { createHash } from 'node:crypto';
import type { PageAnswer } from '../../lib/api/http/client-route.ts';
import type { Company, Frame } from '../../lib/pages/frame.ts';
import { script } from '../../lib/pages/script.ts';
import { brandStyle, style } from '../../lib/pages/style.ts';
import type { TableReader } from '../../lib/store/dynamodb/table.ts';
import { findLogo } from '../../lib/store/organizations/logos.ts';
import { accountStore, type StoreReader } from '../../lib/store/store.ts';

const nameOf = (content: string, ending: string): string =>
  `${createHash('sha256').update(content).digest('hex').slice(0, 16)}.${ending}`;

/** The style sheet and the script, under names that contain the hash of their content. */
const assets = {
  style: { name: nameOf(style, 'css'), type: 'text/css; charset=utf-8', content: style },
  script: { name: nameOf(script, 'js'), type: 'text/javascript; charset=utf-8', content: script },
};

export const assetPaths = (): Frame['assets'] => ({
  style: `/c/assets/${assets.style.name}`,
  script: `/c/assets/${assets.script.name}`,
});

/** A style sheet or script that browsers cache; `undefined` for an unknown name. */
export function assetAnswer(name: string | undefined): PageAnswer | undefined {
  const found = Object.values(assets).find((asset) => asset.name === name) ?? brandAsset(name);
  return found && keptAnswer(found.content, found.type);
}

/** The style sheet for the company's color in its name. */
function brandAsset(name = ''): { readonly type: string; readonly content: string } | undefined {
  const [, color] = /^brand-([0-9a-f]{6})\.css$/.exec(name) ?? [];
  return color ? { type: 'text/css; charset=utf-8', content: brandStyle(`#${color}`) } : undefined;
}

/** An answer that never changes under its name. */
const keptAnswer = (body: string | Buffer, type: string): PageAnswer => ({
  status: 200,
  body,
  type,
  headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
});

/** The logo at `/c/logo/{account}-{organization}-{hash}.png`: whoever knows the hash of a logo has seen it. */
function parseLogo(handle: string): { account: string; organization: number; name: string } | undefined {
  const [, account, organization, name] =
    /^([a-z0-9]{1,64})-(\d{1,10})-([0-9a-f]{16}\.(?:png|jpg))$/.exec(handle) ?? [];
  return account && organization && name ? { account, organization: Number(organization), name } : undefined;
}

/** The logo for a handle, which alone determines its account. */
export async function logoAnswer(table: TableReader, handle = ''): Promise<PageAnswer | undefined> {
  const known = parseLogo(handle);
  const logo = known && (await findLogo(accountStore(table, known.account), known.organization, known.name));
  return logo && keptAnswer(logo.bytes, logo.type);
}

/** The picture at the top of a company's PDFs, or `undefined`. */
export async function logoPicture(store: StoreReader, { logo }: Company): Promise<Buffer | undefined> {
  const known = parseLogo(logo.replace('/c/logo/', ''));
  return known && (await findLogo(store, known.organization, known.name))?.bytes;
}
