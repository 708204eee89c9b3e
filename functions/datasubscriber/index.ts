import { group } from '../../lib/api/group.ts';
import { downloadOperations } from '../download/operations.ts';
import { clear } from './clear.ts';
import { fetch } from './fetch.ts';
import { forecasts } from './forecasts.ts';
import { postalcodes } from './postalcodes.ts';

export const datasubscriber = group(
  'datasubscriber',
  'The event queue of the account, and data of all its organizations.',
  [clear, fetch, forecasts, postalcodes, ...Object.values(downloadOperations('datasubscriber'))],
);
export const { handler } = datasubscriber;
