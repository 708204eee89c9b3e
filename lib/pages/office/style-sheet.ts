import { createHash } from 'node:crypto';
import { style } from '../style.ts';
import { plotStyle } from './plots/style.ts';
import { officeStyle } from './style.ts';

const content = `${style}${officeStyle}${plotStyle}`;
const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);

/** The style sheet of the office, at an address with the hash of its content. */
export const OFFICE_STYLE = { path: `/office/assets/${hash}.css`, content } as const;
