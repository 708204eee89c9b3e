import { group } from '../../lib/api/group.ts';
import { addnote } from './addnote.ts';
import { addtags } from './addtags.ts';
import { addupdate } from './addupdate.ts';
import { duplicates } from './duplicates.ts';
import { listtags } from './listtags.ts';
import { locate } from './locate.ts';
import { logcall } from './logcall.ts';
import { merge } from './merge.ts';
import { messages } from './messages.ts';
import { removetags } from './removetags.ts';
import { unmerge } from './unmerge.ts';

export const contacts = group(
  'contacts',
  'Customers and leads: find, add and update them, with notes, tags and calls.',
  { locate, addupdate, addnote, addtags, listtags, removetags, logcall, messages, duplicates, merge, unmerge },
  ['upload'],
);
export const { handler } = contacts;
