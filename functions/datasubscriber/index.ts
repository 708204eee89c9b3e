import { group } from '../../lib/api/group.ts';
import { clear } from './clear.ts';
import { fetch } from './fetch.ts';
import { forecasts } from './forecasts.ts';
import { postalcodes } from './postalcodes.ts';

export const datasubscriber = group('datasubscriber', [clear, fetch, forecasts, postalcodes]);
export const { handler } = datasubscriber;
