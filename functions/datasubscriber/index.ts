import { group } from '../../lib/api/group.ts';
import { clear } from './clear.ts';
import { downloadstatus } from './downloadstatus.ts';
import { fetch } from './fetch.ts';
import { forecasts } from './forecasts.ts';
import { getdownload } from './getdownload.ts';
import { postalcodes } from './postalcodes.ts';
import { startdownload } from './startdownload.ts';

export const datasubscriber = group(
  'datasubscriber',
  'The event queue of the account, and data of all its organizations.',
  { clear, fetch, forecasts, postalcodes, startdownload, downloadstatus, getdownload },
);
export const { handler } = datasubscriber;
